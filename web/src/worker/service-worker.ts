/**
 * The service worker: keeps one whole version of the page on the device, and of the server's answers what can be read without it.
 *
 * Vite builds it beside the page and fills in FILES. It imports nothing, so that it is one file.
 */

declare const self: ServiceWorkerGlobalScope

/** Every file of this version of the page, with the SHA-256 of its content. */
const FILES: Record<string, string> = __FILES__
const VERSION: string = __VERSION__
declare const __FILES__: Record<string, string>
declare const __VERSION__: string

const PAGE = `azalai-page-${VERSION}`
/** Answers that are the same for everybody: games and their rules. */
const PUBLIC = 'azalai-public'
/** Answers to one guest; the guest's mark follows. */
const OWN = 'azalai-own-'
/** Where the cache of one's own answers notes whose they are: a header that names the guest to nobody else. */
const GUEST = 'azalai-guest'
const INDEX = '/index.html'
const MOST_KEPT = 5000 // answers of one guest

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting()
})
self.addEventListener('push', (event) => {
  const message = event.data?.json() as { title: string; body: string; url: string } | undefined
  if (message) event.waitUntil(show(message))
})
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(resubscribe(event)))
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (url.origin !== location.origin) return
  if (url.pathname.startsWith('/api/')) {
    if (event.request.method !== 'GET' && !url.pathname.startsWith('/api/me')) return
    event.respondWith(answer(event.request, url, (work) => event.waitUntil(work)))
  } else if (event.request.method === 'GET') {
    const path = event.request.mode === 'navigate' && !FILES[url.pathname] ? routed(url.pathname) : url.pathname
    if (path && FILES[path]) event.respondWith(file(path, event.request))
  }
})

/** Addresses without a file show the page, which routes itself; the documentation is not part of it. */
function routed(path: string): string | null {
  return path.startsWith('/docs') || /\.[^/]*$/.test(path) || path === '/metrics' || path === '/healthz' ? null : INDEX
}

/** Fetch all files of this version. A file of another version, as while a server is renewed, makes the whole attempt fail. */
async function install(): Promise<void> {
  const cache = await caches.open(PAGE)
  await Promise.all(
    Object.entries(FILES).map(async ([path, digest]) => {
      const response = await fetch(path, { cache: 'no-cache' })
      if (!response.ok || (await digestOf(response.clone())) !== digest)
        throw new Error(`${path} is not the file of version ${VERSION}`)
      await cache.put(path, response)
    }),
  )
}

async function digestOf(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** From now on this version alone is shown: pages of the last one have been asked to load again. */
async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith('azalai-page-') && name !== PAGE) await caches.delete(name)
  await self.clients.claim()
}

async function file(path: string, request: Request): Promise<Response> {
  const found = await (await caches.open(PAGE)).match(path)
  return found ?? fetch(request) // a browser may have thrown the cache away
}

// ---------------------------------------------------------------- what the server answers

/** Answer from the server; what can be read without it is kept, and comes from there while the server cannot be reached. */
async function answer(request: Request, url: URL, meanwhile: (work: Promise<unknown>) => void): Promise<Response> {
  let response
  try {
    response = await fetch(request)
  } catch (error) {
    const found = request.method === 'GET' ? await kept(url) : undefined
    if (found) return found
    throw error
  }
  const copy = response.clone()
  const guest = response.headers.get(GUEST)
  meanwhile(
    (async () => {
      if (guest) await forgetOthers(guest)
      if (request.method === 'GET' && copy.ok) await keep(url, guest, copy)
    })().catch(() => {}), // the device is full: nothing more is kept
  )
  return response
}

/** Whether an answer is the same for everybody. */
const isPublic = (path: string) => /^\/api\/games(\/[a-z0-9_]+(\/help)?)?$/.test(path)

/** Under which address an answer is kept; undefined: never. Only whole tables are kept, not what is new at one. */
function keyOf(url: URL): string | undefined {
  const query = url.searchParams
  const language = query.get('lang') ?? ''
  if (isPublic(url.pathname)) return `${url.pathname}?lang=${language}`
  if (url.pathname === '/api/tables' && query.get('list') === 'finished' && !query.get('before'))
    return `${url.pathname}?list=finished&game=${query.get('game') ?? ''}&lang=${language}`
  const seat = query.get('seat') ?? ''
  const whole = !query.has('version') && !seat && (query.get('since') ?? '-1') === '-1'
  if (/^\/api\/tables\/[^/]+$/.test(url.pathname)) return whole ? `${url.pathname}?lang=${language}` : undefined
  if (/^\/api\/tables\/[^/]+\/(plies\/\d+|drawing)$/.test(url.pathname))
    return `${url.pathname}?ply=${query.get('ply') ?? ''}&seat=${seat}&lang=${language}`
  return undefined
}

async function keep(url: URL, guest: string | null, response: Response): Promise<void> {
  const key = keyOf(url)
  if (!key) return
  if (isPublic(url.pathname)) return (await caches.open(PUBLIC)).put(key, response)
  if (!guest) return
  const cache = await caches.open(OWN + guest)
  if (/^\/api\/tables\/[^/]+$/.test(url.pathname)) {
    const table = (await response.clone().json()) as { status: string; seat: number | null }
    if (!['over', 'imported'].includes(table.status) || table.seat === null) return
  } else if (url.pathname !== '/api/tables' && !(await hasTable(cache, url.pathname))) {
    return // a position of a game that is not over, or not one's own
  }
  await cache.put(key, response)
  if (/\/plies\//.test(url.pathname)) return // a game has many: they are counted when the next table comes
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - MOST_KEPT))) await cache.delete(old)
}

/** Whether the finished table is kept that a position belongs to. */
async function hasTable(cache: Cache, path: string): Promise<boolean> {
  const table = path.split('/').slice(0, 4).join('/')
  return (await cache.match(table, { ignoreSearch: true })) !== undefined
}

async function kept(url: URL): Promise<Response | undefined> {
  const key = keyOf(url)
  if (!key) return undefined
  if (isPublic(url.pathname)) return (await caches.open(PUBLIC)).match(key)
  const own = (await caches.keys()).find((name) => name.startsWith(OWN))
  return own ? (await caches.open(own)).match(key) : undefined
}

/**
 * This device is one guest at a time: what was kept for another is deleted before anything is kept for the new one, and the
 * other is no longer called here.
 */
async function forgetOthers(guest: string): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== OWN + guest)
  if (others.length) await (await self.registration.pushManager.getSubscription())?.unsubscribe()
  for (const name of others) await caches.delete(name)
  await caches.open(OWN + guest)
}

// ---------------------------------------------------------------- calls

/** Show a message of the server; a later one takes its place. */
function show(message: { title: string; body: string; url: string }): Promise<void> {
  const text = message.body === message.title ? undefined : message.body
  const picture = { icon: '/icon-192.png', badge: '/favicon.svg' }
  return self.registration.showNotification(message.title, { body: text, tag: 'azalai', data: message.url, ...picture })
}

/** Open the page that a message is about, in a window of ours where there is one. */
async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((one) => new URL(one.url).pathname === path)
  if (there) await there.focus()
  else await self.clients.openWindow(path)
}

/** The browser has ended a subscription, as some do from time to time: make a new one and tell the server. */
async function resubscribe(event: { oldSubscription?: PushSubscription | null }): Promise<void> {
  const options = event.oldSubscription?.options
  if (!options) return
  const { endpoint, keys } = (await self.registration.pushManager.subscribe(options)).toJSON()
  const body = JSON.stringify({ endpoint, keys })
  await fetch('/api/me/callback/push', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

export {} // a module, so that `self` can be declared as what it is
