// Timetables over the days on which clocks change: in London by an hour, on Lord Howe Island by half an hour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSheet } from '../../../src/sheets/read-sheet.ts'
import { guessColumns } from '../../../src/timetables/read/guess-columns.ts'
import { readTimetable } from '../../../src/timetables/read/read-timetable.ts'
import { clockShifts, existsIn } from '../../../src/timetables/review/clock-shifts.ts'
import { compare } from '../../../src/timetables/review/compare.ts'

/** `2026-03-29 fajr 05:00 clocks_change`: a date, its iqamah as the sheet has it, and what is doubted. */
const doubted = async (timezone: string, rows: readonly string[]): Promise<string[]> => {
  const sheet = await readSheet(
    Buffer.from(['Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah', ...rows.map(row => `${row},13:15,20:30`)].join('\n')),
    timezone,
  )
  const { entries, questions } = readTimetable({
    sheet,
    reading: guessColumns(sheet),
    today: '2026-01-01',
    calculated: () => undefined,
  })
  assert.deepEqual(questions, [])
  const [first, last] = [rows[0]?.slice(0, 10) ?? '', rows.at(-1)?.slice(0, 10) ?? '']
  const known = {
    calculated: new Map(),
    standing: new Map(),
    shifts: clockShifts(timezone, first, last),
    exists: existsIn(timezone),
  }
  return compare(entries, known)
    .entries.filter(({ prayer }) => prayer === 'fajr')
    .map(({ date, iqamah, doubts }) => [date, iqamah, ...doubts].join(' '))
}

const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    'in London in spring, times that go an hour forward with the clocks are no jump, but the day is pointed out',
    'Europe/London',
    ['2026-03-28,04:55', '2026-03-29,05:55', '2026-03-30,05:50'],
    ['2026-03-28 04:55', '2026-03-29 05:55 clocks_change', '2026-03-30 05:50'],
  ],
  [
    'in London in autumn, times that go an hour back are no jump either',
    'Europe/London',
    ['2026-10-24,06:30', '2026-10-25,05:30', '2026-10-26,05:35'],
    ['2026-10-24 06:30', '2026-10-25 05:30 clocks_change', '2026-10-26 05:35'],
  ],
  [
    'an hour on any other day is a jump',
    'Europe/London',
    ['2026-03-21,05:00', '2026-03-22,06:00'],
    ['2026-03-21 05:00', '2026-03-22 06:00 jump'],
  ],
  [
    'a time that London skips is pointed out',
    'Europe/London',
    ['2026-03-28,01:20', '2026-03-29,01:30'],
    ['2026-03-28 01:20', '2026-03-29 01:30 no_such_time clocks_change'],
  ],
  [
    'on Lord Howe Island clocks go half an hour forward',
    'Australia/Lord_Howe',
    ['2026-10-03,04:40', '2026-10-04,05:10', '2026-10-05,05:08'],
    ['2026-10-03 04:40', '2026-10-04 05:10 clocks_change', '2026-10-05 05:08'],
  ],
  [
    'and half an hour back; a whole hour is a jump there',
    'Australia/Lord_Howe',
    ['2026-04-04,05:40', '2026-04-05,05:10', '2026-04-06,04:10'],
    ['2026-04-04 05:40', '2026-04-05 05:10 clocks_change', '2026-04-06 04:10 jump'],
  ],
  [
    'a time that Lord Howe Island skips is pointed out',
    'Australia/Lord_Howe',
    ['2026-10-03,02:10', '2026-10-04,02:15'],
    ['2026-10-03 02:10', '2026-10-04 02:15 no_such_time clocks_change'],
  ],
]

for (const [name, timezone, rows, expected] of cases)
  test(name, async () => assert.deepEqual(await doubted(timezone, rows), expected))
