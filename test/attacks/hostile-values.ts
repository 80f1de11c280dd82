// Values that somebody sends who wants work done that never ends: dates at the ends of the calendar, huge counts, long lists of short
// words, nothing, and the same thing many times.
import fc from 'fast-check'
import { xlsxFile } from '../staff/timetables/xlsx-file.ts'

const dates = [
  '9999-12-31',
  '0001-01-01',
  '0000-02-30',
  '10000-01-01',
  '-000001-01-01',
  '2026-02-30',
  '9999-12',
  '0000-00',
]
const moments = [
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00',
  '275760-09-13T00:00:00Z',
  '2026-13-45T99:99',
  '24:00',
  '99:99',
]
const counts = [
  '0',
  '-1',
  '400',
  '2147483648',
  '9007199254740993',
  '1e308',
  '-1e-400',
  'NaN',
  'Infinity',
  '0x7fffffff',
  '٣',
]
const words = [
  'a '.repeat(100),
  'x '.repeat(1000),
  `${'ab '.repeat(50)}*`,
  'a,'.repeat(500),
  '"'.repeat(300),
  '%'.repeat(300),
]
const texts = [
  '',
  ' ',
  '\u0000',
  '\u202e',
  '=1+1',
  '{}',
  '[]',
  'null',
  '../..',
  'é'.repeat(2000),
  '('.repeat(500),
  '\n'.repeat(2000),
]
const rules = [
  'FREQ=SECONDLY',
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;INTERVAL=999999999',
  'FREQ=YEARLY;COUNT=999999999',
]

export const hostileText = fc.oneof(
  ...[dates, moments, counts, words, texts, rules].map(list => fc.constantFrom(...list)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** For an argument of a tool, by its JSON Schema. */
export const hostileJson = (schema: {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
}): fc.Arbitrary<unknown> => {
  const numbers = fc.constantFrom<unknown>(0, -1, 400, 1e15, -1e308, 2 ** 53, 0.5, 90, 180)
  if (schema.enum !== undefined) return fc.oneof(fc.constantFrom(...schema.enum), hostileText)
  if (schema.type === 'number' || schema.type === 'integer') return numbers
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'array') return fc.array(hostileText, { maxLength: 50 })
  return fc.oneof(hostileText, numbers, fc.constant(null))
}

const part = fc.constantFrom(
  'DTSTART:20260101T060000',
  'DTSTART:99991231T235959Z',
  'DTSTART;VALUE=DATE:00010101',
  'DTEND:00000101T000000',
  'DURATION:P99999999W',
  'RRULE:FREQ=DAILY;COUNT=500',
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=SECONDLY;BYHOUR=25',
  'RDATE:20260101T060000,20260102T060000',
  'EXDATE:20260101T060000',
  'RECURRENCE-ID:20260101T060000',
  'SUMMARY:Fajr Iqamah',
  `SUMMARY:${'Isha '.repeat(100)}`,
)

const calendar = fc
  .array(fc.array(part, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 60 })
  .map(events =>
    ['BEGIN:VCALENDAR', ...events.flatMap(lines => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join(
      '\r\n',
    ),
  )

const table = fc
  .tuple(fc.array(hostileText, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 2100 }))
  .map(([cells, rows]) => `Date,Fajr Iqamah,Amount,Name\n${`${cells.join(',').replaceAll('\n', ' ')}\n`.repeat(rows)}`)
  .map(text => text.slice(0, 900_000))

const numbers = fc.constantFrom(-1e300, -1, 0, 0.5, 60, 46_023, 2_958_466, 1e15, 1e300)
const cell = fc.oneof(
  numbers,
  numbers.map(date => ({ date })),
  numbers.map(time => ({ time })),
  hostileText.map(text => text.replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')),
)
const workbook = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 30 })
  .map(rows => new Uint8Array(xlsxFile({ sheets: { Times: [['Date', 'Fajr Iqamah'], ...rows] } })))

/** Workbooks, calendars and tables, whole, cut off, and the same one twice. */
export const hostileFile: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  calendar,
  table,
  workbook,
  workbook.map(bytes => bytes.subarray(0, bytes.length - 7)),
  calendar.map(text => text.slice(0, text.length / 2)),
  calendar.map(text => `${text}\r\n${text}`),
)
