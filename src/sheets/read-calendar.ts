// An iCalendar file (RFC 5545) with an event for each prayer → a sheet: a row for each day, a column for each title.
// Runs on a thread that is ended if it takes too long: the library goes on looking for a date that a rule may never have.
import ICAL from 'ical.js'
import { makeSheet, type Sheet, SheetRefused } from './sheet.ts'

const MOST_EVENTS = 8000
const MOST_TITLES = 40
/** Calendars without an end exist. */
const MOST_DATES_OF_EVENT = 800
/** Five years with fifteen events a day. */
const MOST_DATES = 30_000

interface Occurrence {
  readonly date: string
  readonly clock: string
  readonly title: string
}

type LocalOf = (time: ICAL.Time) => Omit<Occurrence, 'title'>

/** The clock of the masjid, whatever zone the calendar is written in; a time without a zone is already on that clock. */
const createLocal = (timezone: string): LocalOf => {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  return time => {
    const isLocal = time.zone === ICAL.Timezone.localTimezone || time.isDate
    const [date = '', clock = ''] = isLocal ? time.toString().split('T') : local.format(time.toJSDate()).split(' ')
    return { date, clock: clock.slice(0, 5) }
  }
}

const occurrencesOf = (event: ICAL.Event, localOf: LocalOf): Occurrence[] => {
  const title = event.summary?.trim() ?? ''
  if (title === '' || event.startDate === null) return []
  if (!event.isRecurring()) return [{ ...localOf(event.startDate), title }]
  const times = event.iterator()
  const found: Occurrence[] = []
  for (let next = times.next(); next && found.length < MOST_DATES_OF_EVENT; next = times.next())
    found.push({ ...localOf(next), title })
  return found
}

/** Time zones are looked up in the file itself, so that no file changes how another is read. */
const eventsOf = (text: string): ICAL.Component[] => {
  try {
    return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  } catch {
    throw new SheetRefused('broken')
  }
}

export const readCalendar = (text: string, timezone: string): Sheet => {
  const events = eventsOf(text)
  if (events.length > MOST_EVENTS) throw new SheetRefused('too_large')
  const localOf = createLocal(timezone)
  const all: Occurrence[] = []
  for (const event of events) {
    all.push(...occurrencesOf(new ICAL.Event(event), localOf))
    if (all.length > MOST_DATES) throw new SheetRefused('too_large')
  }
  const timed = all
    .filter(({ clock }) => clock !== '')
    .sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
  if (timed.length === 0) throw new SheetRefused('no_events')
  const titles = [...new Set(timed.map(({ title }) => title))].slice(0, MOST_TITLES)
  const rows = [...Map.groupBy(timed, ({ date }) => date)].map(([date, ofDay]) => {
    const clocks = new Map(ofDay.toReversed().map(({ title, clock }) => [title, clock]))
    return [date, ...titles.map(title => clocks.get(title) ?? '')]
  })
  return makeSheet([['Date', ...titles], ...rows])
}
