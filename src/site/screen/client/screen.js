// In the browser: the screen in the hall. Shows what it keeps every second, and keeps up with the service beside that.
import { clock } from './clock.js'
import { askSoon, current, keepUp } from './keep-up.js'
import { show } from './show.js'

/** The service, if it can be reached, says the time within this. */
const CHECK_MS = 3000
/** Since when the device's clock has not agreed with what was counted; undefined while it does. */
let jumpedAt

/** The clock was set, or the device slept. What is shown stays until the service was asked what time it is. */
const isBeingChecked = ({ jumped }) => {
  if (jumped && jumpedAt === undefined) askSoon()
  jumpedAt = jumped ? (jumpedAt ?? performance.now()) : undefined
  return jumped && performance.now() - jumpedAt < CHECK_MS
}

const tick = () => {
  const kept = current()
  const time = clock.now()
  if (!isBeingChecked(time) && kept !== undefined) show(kept, time)
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
