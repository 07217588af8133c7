/** The little of a browser that modules ask for when they are loaded. */

const still = { matches: false, addEventListener: () => {} }
Object.assign(globalThis, {
  matchMedia: () => still,
  addEventListener: () => {},
  navigator: globalThis.navigator ?? { language: 'en', languages: ['en'] },
  document: { documentElement: { dataset: {}, lang: 'en' } },
})
