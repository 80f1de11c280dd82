// An iCalendar file (RFC 5545) with an event for each prayer → a sheet: a row for each day, a column for each title.
import ICAL from 'ical.js'
import { makeSheet, type Sheet, SheetRefused } from './sheet.ts'

const MOST_EVENTS = 8000
const MOST_TITLES = 40

interface Occurrence {
  readonly date: string
  readonly clock: string
  readonly title: string
}

/** The clock of the masjid, whatever zone the calendar is written in; a time without a zone is already on that clock. */
const localOf = (time: ICAL.Time, timezone: string): Omit<Occurrence, 'title'> => {
  if (time.zone === ICAL.Timezone.localTimezone || time.isDate) {
    const [date = '', clock = ''] = time.toString().split('T')
    return { date, clock: clock.slice(0, 5) }
  }
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  const [date = '', clock = ''] = local.format(time.toJSDate()).split(' ')
  return { date, clock }
}

/** A recurring event is followed for a bounded number of times: calendars without an end exist. */
const occurrencesOf = (event: ICAL.Event, timezone: string): Occurrence[] => {
  const title = event.summary?.trim() ?? ''
  if (title === '' || event.startDate === null) return []
  if (!event.isRecurring()) return [{ ...localOf(event.startDate, timezone), title }]
  const found: Occurrence[] = []
  const times = event.iterator()
  for (let next = times.next(); next && found.length < 800; next = times.next())
    found.push({ ...localOf(next, timezone), title })
  return found
}

const parse = (text: string): ICAL.Component => {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text))
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
    return calendar
  } catch {
    throw new SheetRefused('broken')
  }
}

export const readCalendar = (text: string, timezone: string): Sheet => {
  const events = parse(text).getAllSubcomponents('vevent')
  if (events.length > MOST_EVENTS) throw new SheetRefused('too_large')
  const all = events.flatMap(event => occurrencesOf(new ICAL.Event(event), timezone))
  const timed = all.filter(({ clock }) => clock !== '').sort((one, other) => one.date.localeCompare(other.date))
  if (timed.length === 0) throw new SheetRefused('no_events')
  const titles = [...new Set(timed.map(({ title }) => title))].slice(0, MOST_TITLES)
  const rows = [...Map.groupBy(timed, ({ date }) => date)].map(([date, ofDay]) => [
    date,
    ...titles.map(title => ofDay.find(one => one.title === title)?.clock ?? ''),
  ])
  return makeSheet([['Date', ...titles], ...rows])
}
