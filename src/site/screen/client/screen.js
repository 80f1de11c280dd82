// In the browser: the screen in the hall. Shows what it keeps every second, and keeps up with the service beside that.
import { current, keepUp } from './keep-up.js'
import { show } from './show.js'

const tick = () => {
  const kept = current()
  if (kept !== undefined) show(kept, Date.now())
}

const hadWorker = navigator.serviceWorker?.controller !== null

navigator.serviceWorker?.register('/screen/worker.js', { scope: '/screen' }).catch(() => undefined)
// A new version of the screen is shown as soon as all of it is there.
navigator.serviceWorker?.addEventListener('controllerchange', () => hadWorker && location.reload())
setInterval(() => navigator.serviceWorker?.getRegistration('/screen').then(found => found?.update()), 3_600_000)

navigator.storage?.persist?.()
setInterval(tick, 1000)
// The lamp of a hall must not go out.
navigator.wakeLock?.request('screen').catch(() => undefined)
keepUp()
