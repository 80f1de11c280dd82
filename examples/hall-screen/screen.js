// In the browser: shows the times, caches the coming days, and keeps showing them offline.
import { clockIn, hijriOf, nameOf, nextPrayer, rowsOfToday, untilText } from './times.js'

const KEPT = 'minaret hall screen'
const ASK_AGAIN_MS = 15 * 60_000
const TRY_AGAIN_MS = 30_000
const STALE_MS = 24 * 3_600_000

const element = id => document.getElementById(id)

const readKept = () => {
  try {
    return JSON.parse(localStorage.getItem(KEPT))
  } catch {
    return null
  }
}

let kept = readKept()

const cell = (name, text) => {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

const showTimes = (now, { masjid, times }) => {
  const rows = rowsOfToday(times, now, masjid.timezone)
  element('times').replaceChildren(
    ...rows.map(row => {
      const line = document.createElement('tr')
      line.className = row.isNext ? 'next-row' : row.isPast ? 'past' : ''
      line.append(
        cell('th', nameOf(row)),
        cell('td', clockIn(row.adhan_at, masjid.timezone)),
        cell('td', clockIn(row.iqamah_at, masjid.timezone)),
      )
      return line
    }),
  )
  if (rows.length > 0) element('hijri').textContent = hijriOf(rows[0])
}

const showNext = (now, { masjid, times }) => {
  const next = nextPrayer(times, now)
  element('next-name').textContent = next === undefined ? 'The cached times have run out' : nameOf(next)
  element('next-in').textContent = next === undefined ? '' : untilText(next, now)
  element('clock').textContent = clockIn(now, masjid.timezone)
}

const showFreshness = (now, { at }) => {
  const since = now.getTime() - at
  const time = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  element('freshness').textContent = `Times as of ${time}${navigator.onLine ? '' : ' · no network'}`
  element('freshness').className = since > STALE_MS ? 'stale' : ''
}

const show = () => {
  if (kept === null) return
  const now = new Date()
  const { masjid } = kept
  element('masjid').textContent = masjid.name
  element('day').textContent = now.toLocaleDateString('en-GB', { timeZone: masjid.timezone, dateStyle: 'full' })
  showTimes(now, kept)
  showNext(now, kept)
  showFreshness(now, kept)
}

/** The coming month is cached, so that weeks without a network do no harm. */
const refresh = async () => {
  try {
    const response = await fetch('/times.json', { cache: 'no-store' })
    if (!response.ok) throw new Error(String(response.status))
    kept = { ...(await response.json()), at: Date.now() }
    localStorage.setItem(KEPT, JSON.stringify(kept))
    setTimeout(refresh, ASK_AGAIN_MS)
  } catch {
    setTimeout(refresh, TRY_AGAIN_MS)
  }
  show()
}

navigator.serviceWorker?.register('/service-worker.js')
addEventListener('online', refresh)
addEventListener('offline', show)
setInterval(show, 1000)
show()
refresh()
