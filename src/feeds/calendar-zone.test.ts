import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { zoneOffsetOf } from '../base/zone-offset.ts'
import { writeCalendar } from './calendar-text.ts'
import { createCalendarZone } from './calendar-zone.ts'

const from = new Date('2026-01-01T00:00:00Z')
const until = new Date('2027-02-01T00:00:00Z')

const parsedZone = (zone: string) => {
  const made = createCalendarZone(zone, from, until)
  const component = new ICAL.Component(ICAL.parse(writeCalendar(made.component)))
  return { made, timezone: new ICAL.Timezone(component) }
}

const zones = [
  'America/New_York',
  'America/St_Johns',
  'America/Phoenix',
  'Europe/London',
  'Europe/Dublin',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Atlantic/Azores',
  'UTC',
]

for (const zone of zones) {
  test(`every time in ${zone} is read back as the same instant`, () => {
    const { made, timezone } = parsedZone(zone)
    const offset = zoneOffsetOf(zone)
    assert.ok(offset)
    const changesNear = (at: number): boolean => offset(at - 43_200_000) !== offset(at + 43_200_000)
    for (let at = from.getTime(); at < until.getTime(); at += changesNear(at) ? 1_800_000 : 21_600_000) {
      const [name, value] = made.property('DTSTART', new Date(at))
      const text = `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6, 11)}:${value.slice(11, 13)}:${value.slice(13, 15)}`
      const time = ICAL.Time.fromDateTimeString(value.endsWith('Z') ? `${text}Z` : text)
      if (!value.endsWith('Z')) {
        assert.equal(name, `DTSTART;TZID=${zone}`)
        time.zone = timezone
      }
      assert.equal(time.toUnixTime() * 1000, at, `${value} ${new Date(at).toISOString()}`)
    }
  })
}

test('ambiguous local times are written in UTC', () => {
  const { made } = parsedZone('America/New_York')
  const first = made.property('DTSTART', new Date('2026-11-01T04:30:00Z'))
  assert.deepEqual(first, ['DTSTART;TZID=America/New_York', '20261101T003000'])
  assert.deepEqual(made.property('DTSTART', new Date('2026-11-01T05:30:00Z')), ['DTSTART', '20261101T053000Z'])
  assert.deepEqual(made.property('DTSTART', new Date('2026-11-01T06:30:00Z')), ['DTSTART', '20261101T063000Z'])
})

test('a zone that the runtime does not know becomes UTC', () => {
  const made = createCalendarZone('Atlantis/Capital', from, until)
  assert.deepEqual(made.property('DTSTART', from), ['DTSTART;TZID=Etc/UTC', '20260101T000000'])
})
