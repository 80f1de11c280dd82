// Timetables in the shapes that masjids have them: each is read right, or something is asked; none is silently wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSheet } from '../../../src/sheets/read-sheet.ts'
import type { Question } from '../../../src/timetables/read/date-rows.ts'
import { guessColumns } from '../../../src/timetables/read/guess-columns.ts'
import { type ReadTimetable, readTimetable } from '../../../src/timetables/read/read-timetable.ts'
import type { Reading } from '../../../src/timetables/read/roles.ts'
import { xlsxFile } from './xlsx-file.ts'

const TODAY = '2026-11-16'

interface Given {
  readonly file: string | Buffer
  readonly answers?: Partial<Reading>
  readonly timezone?: string
}

const read = async ({ file, answers = {}, timezone = 'Europe/London' }: Given): Promise<ReadTimetable> => {
  const sheet = await readSheet(Buffer.from(file), timezone)
  const reading = { ...guessColumns(sheet), ...answers }
  return readTimetable({
    sheet,
    reading,
    today: TODAY,
    calculated: (_, prayer) => (prayer === 'asr' ? '15:10' : undefined),
  })
}

/** `2026-01-01 fajr 06:10/06:40`: the adhan, if any, and the iqamah. */
const linesOf = ({ entries }: ReadTimetable): string[] =>
  entries.map(
    ({ date, prayer, session, adhan, iqamah }) =>
      `${date} ${prayer}${session > 1 ? session : ''} ${adhan === undefined ? '' : `${adhan}/`}${iqamah ?? ''}`,
  )

const reads = (name: string, given: Given, lines: readonly string[], problems: readonly string[] = []): void =>
  void test(name, async () => {
    const result = await read(given)
    assert.deepEqual(result.questions, [])
    assert.deepEqual(
      result.problems.map(({ kind, row }) => `${kind} ${row}`),
      problems,
    )
    assert.deepEqual(linesOf(result), lines)
  })

const asks = (name: string, given: Given, questions: readonly Question[]): void =>
  void test(name, async () => {
    const result = await read(given)
    assert.deepEqual(result.questions, questions)
    assert.deepEqual(result.entries, [], 'nothing is read before it is answered')
  })

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
/** Letters of the word فجر and so on in Windows-1256. */
const windows1256 = (text: string): Buffer => {
  const codes = new Map(
    Array.from({ length: 128 }, (_, index) => [
      new TextDecoder('windows-1256').decode(new Uint8Array([index + 128])),
      index + 128,
    ]),
  )
  return Buffer.from([...text].map(letter => codes.get(letter) ?? letter.charCodeAt(0)))
}

const plainDay = ['2026-01-01 fajr 06:10/06:40', '2026-01-01 isha 18:00/19:30']

reads(
  'commas, ISO dates, adhan and iqamah columns',
  {
    file: 'Date,Fajr Adhan,Fajr Iqamah,Dhuhr Adhan,Dhuhr Iqamah,Isha Adhan,Isha Iqamah\n2026-01-01,06:10,06:40,12:10,13:00,18:00,19:30\n',
  },
  ['2026-01-01 fajr 06:10/06:40', '2026-01-01 dhuhr 12:10/13:00', '2026-01-01 isha 18:00/19:30'],
)
reads(
  'semicolons, a byte order mark, day first, quotes',
  {
    file: '\ufeff"Date";"Fajr begins";"Fajr jama\'at";"Asr jama\'at";"Isha begins";"Isha jama\'at"\r\n"31/01/2026";"06:10";"06:40";"15:00";"18:00";"19:30"\r\n',
  },
  ['2026-01-31 fajr 06:10/06:40', '2026-01-31 asr 15:00', '2026-01-31 isha 18:00/19:30'],
)
reads(
  'tabs, as pasted from a spreadsheet, with month names',
  { file: 'Date\tFajr Iqamah\tDhuhr Iqamah\tIsha Iqamah\nThu 1 Jan 2026\t6:40 AM\t1:00 PM\t7:30 PM\n' },
  ['2026-01-01 fajr 06:40', '2026-01-01 dhuhr 13:00', '2026-01-01 isha 19:30'],
)
reads(
  'UTF-16 with a byte order mark',
  {
    file: utf16(
      'Date\tFajr adhan\tFajr iqamah\tAsr iqamah\tIsha adhan\tIsha iqamah\n2026-01-01\t06:10\t06:40\t\t18:00\t19:30\n',
    ),
  },
  plainDay,
)
reads(
  'Windows-1256, Arabic headings',
  {
    file: windows1256(
      'التاريخ;اذان الفجر;اقامة الفجر;اقامة العصر;اذان العشاء;اقامة العشاء\n2026-01-01;06:10;06:40;;18:00;19:30\n',
    ),
  },
  plainDay,
)
reads(
  'Windows-1252, French headings and hours with h',
  {
    file: Buffer.from(
      'Date;Sobh adhan;Sobh iqama;Dohr adhan;Dohr iqama;Icha adhan;Icha iqama\n1 f\xe9vrier 2026;6h10;6h40;12h30;13h00;18h00;19h30\n',
      'latin1',
    ),
  },
  ['2026-02-01 fajr 06:10/06:40', '2026-02-01 dhuhr 12:30/13:00', '2026-02-01 isha 18:00/19:30'],
)
reads(
  'Arabic digits and marks of the half of the day',
  { file: 'التاريخ,إقامة الفجر,إقامة الظهر,إقامة العشاء\n١ يناير ٢٠٢٦,٦:٤٠ ص,١:٠٠ م,٧:٣٠ م\n' },
  ['2026-01-01 fajr 06:40', '2026-01-01 dhuhr 13:00', '2026-01-01 isha 19:30'],
)
reads(
  'Urdu headings, Persian digits',
  { file: 'تاریخ,فجر جماعت,ظہر جماعت,عشاء جماعت\n۱ جنوری ۲۰۲۶,۶:۴۰,۱:۰۰,۷:۳۰\n' },
  ['2026-01-01 fajr 06:40', '2026-01-01 dhuhr 13:00', '2026-01-01 isha 19:30'],
)
reads(
  'Turkish: imsak is the beginning of Fajr',
  {
    file: 'Tarih;İmsak;Güneş;Öğle ezan;İkindi ezan;Akşam ezan;Yatsı ezan\n01 Ocak 2026;06:49;08:20;13:14;15:35;17:56;19:22\n',
  },
  [
    '2026-01-01 fajr 06:49/',
    '2026-01-01 dhuhr 13:14/',
    '2026-01-01 asr 15:35/',
    '2026-01-01 maghrib 17:56/',
    '2026-01-01 isha 19:22/',
  ],
)
reads(
  'Indonesian: imsak is not Fajr; dots in times',
  {
    file: 'Tanggal,Imsak,Subuh adzan,Terbit,Dzuhur adzan,Ashar adzan,Maghrib adzan,Isya adzan\n1 Januari 2026,04.05,04.15,05.40,11.58,15.23,18.13,19.28\n',
  },
  [
    '2026-01-01 fajr 04:15/',
    '2026-01-01 dhuhr 11:58/',
    '2026-01-01 asr 15:23/',
    '2026-01-01 maghrib 18:13/',
    '2026-01-01 isha 19:28/',
  ],
)
reads(
  '12 hours without am and pm, by the prayer; Isha after midnight',
  {
    file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Asr Iqamah,Maghrib Iqamah,Isha Iqamah\n2026-06-20,3:30,1:30,6:45,9:25,11:15\n2026-06-21,3:30,12:45,6:45,9:25,12:05\n',
  },
  [
    ...['fajr 03:30', 'dhuhr 13:30', 'asr 18:45', 'maghrib 21:25', 'isha 23:15'].map(line => `2026-06-20 ${line}`),
    ...['fajr 03:30', 'dhuhr 12:45', 'asr 18:45', 'maghrib 21:25', 'isha 00:05'].map(line => `2026-06-21 ${line}`),
  ],
)
reads(
  'merged headings in two rows below a title',
  {
    file: 'Larkspur Masjid timetable\n,,Fajr,,Sunrise,Zuhr,,Isha,\nDate,Day,Begins,Jamaat,,Begins,Jamaat,Begins,Jamaat\n01/01/2026,Thu,06:10,06:40,08:05,12:10,13:00,18:00,19:30\n15/01/2026,Thu,06:10,06:40,08:05,12:10,13:00,18:00,19:30\n',
  },
  ['2026-01-01', '2026-01-15'].flatMap(date => [
    `${date} fajr 06:10/06:40`,
    `${date} dhuhr 12:10/13:00`,
    `${date} isha 18:00/19:30`,
  ]),
)
reads(
  'headings grouped by a row above: adhan, then iqamah',
  { file: ',Adhan,,,Iqamah,,\nDate,Fajr,Dhuhr,Isha,Fajr,Dhuhr,Isha\n2026-01-01,06:10,12:10,18:00,06:40,13:00,19:30\n' },
  ['2026-01-01 fajr 06:10/06:40', '2026-01-01 dhuhr 12:10/13:00', '2026-01-01 isha 18:00/19:30'],
)
reads(
  'months as titles, day numbers, headings repeated',
  {
    file: 'January 2026\nDay,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n1,06:40,13:00,19:30\n2,06:40,13:00,19:30\n\nFebruary 2026\nDay,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n1,06:20,13:00,19:45\n',
  },
  [
    ...['2026-01-01', '2026-01-02'].flatMap(date => [
      `${date} fajr 06:40`,
      `${date} dhuhr 13:00`,
      `${date} isha 19:30`,
    ]),
    '2026-02-01 fajr 06:20',
    '2026-02-01 dhuhr 13:00',
    '2026-02-01 isha 19:45',
  ],
)
reads(
  'day and month decided by days that follow each other',
  {
    file: `Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n${[1, 2, 3].map(day => `0${day}/04/2026,05:00,13:30,21:00`).join('\n')}\n`,
  },
  [1, 2, 3].flatMap(day => ['fajr 05:00', 'dhuhr 13:30', 'isha 21:00'].map(line => `2026-04-0${day} ${line}`)),
)
reads(
  'month first, as in the United States',
  { file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n4/13/2026,5:30 AM,1:30 PM,9:15 PM\n' },
  ['2026-04-13 fajr 05:30', '2026-04-13 dhuhr 13:30', '2026-04-13 isha 21:15'],
)
reads(
  'a year told by its weekdays',
  {
    file: `Date,Day,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n${['Fri', 'Sat', 'Sun', 'Mon', 'Tue'].map((day, index) => `${index + 1} January,${day},06:40,13:00,19:30`).join('\n')}\n`,
  },
  [1, 2, 3, 4, 5].flatMap(day => ['fajr 06:40', 'dhuhr 13:00', 'isha 19:30'].map(line => `2027-01-0${day} ${line}`)),
)
reads(
  'two iqamah columns of Jumu’ah, filled on every day; only Fridays count',
  {
    file: 'Date,Fajr Iqamah,Dhuhr Iqamah,1st Jumuah,2nd Jumuah\n2026-01-01,06:40,13:00,12:30,13:30\n2026-01-02,06:40,13:00,12:30,13:30\n',
  },
  [
    '2026-01-01 fajr 06:40',
    '2026-01-01 dhuhr 13:00',
    '2026-01-02 fajr 06:40',
    '2026-01-02 dhuhr 13:00',
    '2026-01-02 jumuah 12:30',
    '2026-01-02 jumuah2 13:30',
  ],
)
reads(
  'a blank Jumu’ah',
  { file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Jumuah\n2026-01-02,06:40,13:00,\n2026-01-09,06:40,13:00,-\n' },
  ['2026-01-02 fajr 06:40', '2026-01-02 dhuhr 13:00', '2026-01-09 fajr 06:40', '2026-01-09 dhuhr 13:00'],
)
reads(
  'minutes after the adhan, of the sheet or as calculated',
  { file: 'Date,Fajr Adhan,Fajr Iqamah,Asr Iqamah,Isha Adhan,Isha Iqamah\n2026-01-01,06:10,+20,+10,18:00,15 min\n' },
  ['2026-01-01 fajr 06:10/06:30', '2026-01-01 asr 15:20', '2026-01-01 isha 18:00/18:15'],
)
const january1 = 46_023
reads(
  'XLSX: dates and times as numbers with their formats',
  {
    file: xlsxFile({
      sheets: {
        Times: [
          ['Date', 'Fajr Adhan', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          [{ date: january1 }, { time: 0.2569444 }, { time: 0.2777778 }, { time: 0.625 }, { time: 0.8125 }],
        ],
      },
    }),
  },
  ['2026-01-01 fajr 06:10/06:40', '2026-01-01 asr 15:00', '2026-01-01 isha 19:30'],
)
reads(
  'XLSX: bare numbers, days counted from 1904',
  {
    file: xlsxFile({
      date1904: true,
      sheets: {
        Times: [
          ['Date', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          [january1 - 1462, 0.25, 0.625, 0.8125],
        ],
      },
    }),
  },
  ['2026-01-01 fajr 06:00', '2026-01-01 asr 15:00', '2026-01-01 isha 19:30'],
)
reads(
  'XLSX: a sheet for each month; afternoon times typed without pm',
  {
    file: xlsxFile({
      sheets: {
        'January 2026': [
          ['Day', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          [1, { time: 0.2777778 }, { time: 0.125 }, { time: 0.3125 }],
        ],
        'February 2026': [
          ['Day', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          [1, { time: 0.2777778 }, { time: 0.1458333 }, { time: 0.3125 }],
        ],
      },
    }),
  },
  [
    '2026-01-01 fajr 06:40',
    '2026-01-01 asr 15:00',
    '2026-01-01 isha 19:30',
    '2026-02-01 fajr 06:40',
    '2026-02-01 asr 15:30',
    '2026-02-01 isha 19:30',
  ],
)
reads(
  'XLSX: formulas are not evaluated; stored results are read, missing ones are told',
  {
    file: xlsxFile({
      sheets: {
        Times: [
          ['Date', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          [
            '2026-01-01',
            { formula: 'TIME(6,40,0)', result: 0.2777778 },
            { formula: 'HYPERLINK("https://evil.test","15:00")', result: '15:00' },
            { formula: 'NOW()' },
          ],
        ],
      },
    }),
  },
  ['2026-01-01 fajr 06:40', '2026-01-01 asr 15:00'],
  ['formula 2'],
)
reads(
  'a calendar: the clock of the masjid, whatever zone the events are in',
  {
    file: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${[
      ['Fajr iqamah', '20260701T030000Z'],
      ['Isha iqamah', '20260701T213000Z'],
      ['Asr iqamah', '20260701T180000'],
    ]
      .map(
        ([title, start], index) =>
          `BEGIN:VEVENT\r\nUID:${index}\r\nDTSTART:${start}\r\nSUMMARY:${title}\r\nEND:VEVENT\r\n`,
      )
      .join('')}END:VCALENDAR\r\n`,
  },
  ['2026-07-01 fajr 04:00', '2026-07-01 isha 22:30', '2026-07-01 asr 18:00'],
)
reads(
  'text where a time should be is told, and the rest is read',
  {
    file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n2026-01-01,06:40,after khutbah,19:30\n2026-02-30,06:40,13:00,19:30\n',
  },
  ['2026-01-01 fajr 06:40', '2026-01-01 isha 19:30'],
  ['date 3', 'time 2'],
)
reads(
  'a day that is there twice with different times is told',
  { file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n2026-01-01,06:40,13:00,19:30\n2026-01-01,06:45,13:00,19:30\n' },
  ['2026-01-01 fajr 06:40', '2026-01-01 dhuhr 13:00', '2026-01-01 isha 19:30'],
  ['twice 3'],
)
reads(
  'without headings: ten times a day are adhan and iqamah in turn',
  { file: '2026-01-01,06:10,06:40,12:10,13:00,14:30,15:00,16:10,16:15,18:00,19:30\n' },
  ['fajr 06:10/06:40', 'dhuhr 12:10/13:00', 'asr 14:30/15:00', 'maghrib 16:10/16:15', 'isha 18:00/19:30'].map(
    line => `2026-01-01 ${line}`,
  ),
)

asks(
  'adhan or iqamah, where the headings do not say',
  { file: 'Date,Fajr,Dhuhr,Asr,Maghrib,Isha\n2026-01-01,06:10,12:10,14:30,16:10,18:00\n' },
  ['plain'],
)
asks(
  'the year, where months have none',
  { file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n1 Jan,06:40,13:00,19:30\n2 Jan,06:40,13:00,19:30\n' },
  ['year'],
)
reads(
  'the year as answered; after December comes the next',
  {
    file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n31 Dec,06:40,13:00,19:30\n1 Jan,06:40,13:00,19:30\n',
    answers: { year: 2026 },
  },
  ['2026-12-31', '2027-01-01'].flatMap(date => [`${date} fajr 06:40`, `${date} dhuhr 13:00`, `${date} isha 19:30`]),
)
asks(
  'month and year, where there are day numbers only',
  { file: 'Day,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n1,06:40,13:00,19:30\n2,06:40,13:00,19:30\n' },
  ['month', 'year'],
)
asks(
  'the order of day and month, where nothing tells',
  { file: 'Date,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n03/04/2026,06:40,13:00,19:30\n' },
  ['order'],
)
asks(
  'a year that the weekdays contradict',
  {
    file: `Date,Day,Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n${['Fri', 'Sat', 'Sun', 'Mon', 'Tue'].map((day, index) => `2026-01-0${index + 1},${day},06:40,13:00,19:30`).join('\n')}\n`,
  },
  ['weekdays'],
)
asks('which column is the date', { file: 'Fajr Iqamah,Dhuhr Iqamah,Isha Iqamah\n06:40,13:00,19:30\n' }, ['date_column'])
asks(
  'sheets whose columns are in another order',
  {
    file: xlsxFile({
      sheets: {
        January: [
          ['Date', 'Fajr Iqamah', 'Asr Iqamah', 'Isha Iqamah'],
          ['2026-01-01', '06:40', '15:00', '19:30'],
        ],
        February: [
          ['Date', 'Asr Iqamah', 'Fajr Iqamah', 'Isha Iqamah'],
          ['2026-02-01', '15:30', '06:20', '19:45'],
        ],
      },
    }),
  },
  ['headings'],
)
