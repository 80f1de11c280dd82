// Rows of pc_prayer_times → what the screen shows at a moment. Pure: no clock, no network, no page.

const names = {
  fajr: 'Fajr',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
  jumuah: 'Jumu’ah',
  taraweeh: 'Taraweeh',
  eid_fitr: 'Eid al-Fitr',
  eid_adha: 'Eid al-Adha',
}

const hijriMonths = [
  'Muharram',
  'Safar',
  'Rabi‘ al-Awwal',
  'Rabi‘ al-Thani',
  'Jumada al-Ula',
  'Jumada al-Akhirah',
  'Rajab',
  'Sha‘ban',
  'Ramadan',
  'Shawwal',
  'Dhu al-Qa‘dah',
  'Dhu al-Hijjah',
]

/** The calendar day of a moment in a time zone, as YYYY-MM-DD. */
export const dayIn = (now, timeZone) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

export const clockIn = (instant, timeZone) =>
  instant === null
    ? '–'
    : new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(instant))

/** What the congregation goes by: the iqamah, or the adhan if the masjid has none. */
const goesBy = row => Date.parse(row.iqamah_at ?? row.adhan_at)

export const nameOf = ({ prayer, session, label }) => label ?? `${names[prayer]}${session > 1 ? ` ${session}` : ''}`

/** After the day's Isha this is tomorrow's Fajr; undefined when the cached times have run out. */
export const nextPrayer = (rows, now) =>
  rows.filter(row => goesBy(row) > now.getTime()).sort((left, right) => goesBy(left) - goesBy(right))[0]

export const untilText = (row, now) => {
  const minutes = Math.ceil((goesBy(row) - now.getTime()) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours > 0 ? `in ${hours} h ${String(rest).padStart(2, '0')} min` : `in ${rest} min`
}

export const hijriOf = ({ hijri_day, hijri_month, hijri_year }) =>
  `${hijri_day} ${hijriMonths[hijri_month - 1]} ${hijri_year}`

/** Today's rows in the order of the day, each marked as past or next. */
export const rowsOfToday = (rows, now, timeZone) => {
  const today = dayIn(now, timeZone)
  const next = nextPrayer(rows, now)
  return rows
    .filter(({ date }) => date === today)
    .sort((left, right) => goesBy(left) - goesBy(right))
    .map(row => ({ ...row, isNext: row === next, isPast: goesBy(row) <= now.getTime() }))
}
