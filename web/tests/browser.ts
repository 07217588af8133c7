/** The little of a browser that modules ask for when they are loaded. */

import { vi } from 'vitest'

vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }))
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
vi.stubGlobal('document', { documentElement: { dataset: {}, lang: 'en' } })
