// A state and a moment → what the screen shows then. Pure: no clock, no page, no network.

const MINUTE_MS = 60_000
/** After the last prayer of the day, tomorrow's times. */
const AFTER_LAST_MS = 30 * MINUTE_MS

/** The calendar day at the masjid, whatever the zone of the device. */
export const dateAt = (timezone, now) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    now,
  )

const dayAfter = (date, days) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const endOf = ({ adhan, iqamah }) => iqamah ?? adhan ?? 0

const prayersOf = day => (day?.rows ?? []).filter(({ prayed }) => prayed)

const momentsOf = row =>
  ['adhan', 'iqamah'].filter(kind => row[kind] !== null).map(kind => ({ kind, at: row[kind], row }))

const nextOf = (days, now) =>
  days
    .flatMap(prayersOf)
    .flatMap(momentsOf)
    .filter(({ at }) => at > now)
    .sort((left, right) => left.at - right.at)[0]

const stateOf = (row, now, next) => {
  if (next?.row === row) return 'next'
  return endOf(row) <= now ? 'past' : ''
}

/** `undefined` for a day that is not known: another day's times are never shown in its place. */
export const momentOf = (state, now) => {
  const today = dateAt(state.timezone, now)
  const find = days => state.days.find(({ date }) => date === dayAfter(today, days))
  const [yesterday, day, tomorrow] = [find(-1), find(0), find(1)]
  if (day === undefined) return undefined
  const next = nextOf([yesterday, day, tomorrow], now)
  const last = Math.max(...prayersOf(day).map(endOf))
  const isOver = tomorrow !== undefined && now > last + AFTER_LAST_MS
  const shown = isOver ? tomorrow : day
  const dark = state.look.dark_minutes * MINUTE_MS
  return {
    day: shown,
    isTomorrow: isOver,
    next,
    rows: shown.rows.map(row => stateOf(row, now, next)),
    isDark: [yesterday, day]
      .flatMap(prayersOf)
      .some(({ iqamah }) => iqamah !== null && now >= iqamah && now < iqamah + dark),
  }
}

/** `1:05:09`, or `5:09` within the hour. */
export const countdown = milliseconds => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
