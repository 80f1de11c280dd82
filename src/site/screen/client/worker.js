// The service worker: the files of the screen, all of one version, kept so that it starts without a network.
const VERSION = 'version'
const FILES = ['/screen']
const PICTURES = 'screen-pictures'
const NAME = `screen-${VERSION}`

self.addEventListener('install', event => {
  // All files or none: a version that did not arrive whole is never used.
  event.waitUntil(
    caches
      .open(NAME)
      .then(cache => cache.addAll(FILES.map(path => new Request(path, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  )
})

const removeOthers = async () => {
  const names = await caches.keys()
  await Promise.all(
    names
      .filter(name => name.startsWith('screen-') && name !== NAME && name !== PICTURES)
      .map(name => caches.delete(name)),
  )
}

self.addEventListener('activate', event => {
  event.waitUntil(removeOthers().then(() => self.clients.claim()))
})

/** The last logo is kept too. */
const isPicture = path => path.startsWith('/pictures/fetched/')

const picture = async request => {
  const cache = await caches.open(PICTURES)
  const found = await cache.match(request)
  if (found !== undefined) return found
  const response = await fetch(request)
  // Until the logo was fetched, the service sends a drawn one, which is not to be kept.
  if (!response.ok || response.headers.get('cache-control')?.includes('no-store')) return response
  for (const old of await cache.keys()) await cache.delete(old)
  await cache.put(request, response.clone())
  return response
}

self.addEventListener('fetch', event => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== self.location.origin) return
  if (FILES.includes(pathname)) event.respondWith(caches.match(pathname).then(found => found ?? fetch(event.request)))
  else if (isPicture(pathname)) event.respondWith(picture(event.request))
})
