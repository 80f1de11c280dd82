// Caches the screen's own files, so that it can start offline. The page itself caches the times.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
const SHELL = 'hall-screen-1'
const files = ['/', '/screen.css', '/screen.js', '/times.js']

worker.addEventListener('install', event => {
  event.waitUntil(caches.open(SHELL).then(cache => cache.addAll(files)))
  worker.skipWaiting()
})

worker.addEventListener('activate', event => {
  event.waitUntil(worker.clients.claim())
})

/** Network first, so that a new version shows at once; the cache when offline. */
const answer = async request => {
  const cache = await caches.open(SHELL)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch {
    return (await cache.match(request)) ?? Response.error()
  }
}

worker.addEventListener('fetch', event => {
  if (files.includes(new URL(event.request.url).pathname)) event.respondWith(answer(event.request))
})
