// In the browser: a page that stays open is loaded again when it would say something else, also after the device has slept.

const shown = document.querySelector('[data-changes-at]')
const changesAt = Date.parse(shown?.dataset.changesAt ?? '')
/** Clocks of devices differ; a page must not be loaded over and over. */
const loadedAt = Date.now()
const LEAST_MS = 30_000

const isDue = () => Date.now() >= Math.max(changesAt, loadedAt + LEAST_MS)

const reloadIfDue = () => {
  if (document.visibilityState === 'visible' && navigator.onLine && isDue()) location.reload()
}

if (Number.isFinite(changesAt)) {
  document.addEventListener('visibilitychange', reloadIfDue)
  addEventListener('online', reloadIfDue)
  setInterval(reloadIfDue, LEAST_MS)
}
