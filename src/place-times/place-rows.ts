// The arguments of `pc_times_at` → rows of `pc_place_times`, as JSON: the same question and calculation as at `/v1/times`.
import type { DataSchema } from '../db/data-schema.ts'
import type { Sql } from '../db/sql.ts'
import { timeNames } from './calculate-place.ts'
import { describePlace } from './describe-place.ts'
import { instantTexts, memberText } from './instant-text.ts'
import { type MasjidQuestion, readMasjidQuestion, settleMasjid } from './masjid-times.ts'
import type { PlaceTimes } from './place-times.ts'
import type { PlaceQuestion } from './question.ts'
import type { RawQuestion } from './read-days.ts'
import { readQuestion } from './read-question.ts'
import type { AnsweredQuestion } from './write-answer.ts'

/** `fajr` and `fajr_local`. */
const columnNames = timeNames.map(name => [name, `${name}_local`] as const)

type Columns = ReadonlySet<string>

const only = (row: Readonly<Record<string, unknown>>, columns: Columns): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name)))

/** `,"fajr":"…"`: each member with a comma before it. */
const membersOf = (row: Readonly<Record<string, unknown>>): string => {
  const json = JSON.stringify(row).slice(1, -1)
  return json === '' ? '' : `,${json}`
}

/** Without the columns that nobody reads, a year is a twentieth of it. */
const writeDays = ({ settled, days }: AnsweredQuestion, columns: Columns): string => {
  const texts = instantTexts(settled.place.timeZone)
  // The same for every day: written once.
  const said = { ...describePlace(settled), masjid_id: settled.masjidId ?? null, source: 'calculated' }
  const place = membersOf(only(said, columns))
  const times = columnNames.filter(names => names.some(name => columns.has(name)))
  const rows = days.map(({ day, hijri, isRamadan, times: minutes, moved }) => {
    let row = `{"date":"${texts.dateOf(day)}"${place}`
    for (const [name, local] of times) {
      if (columns.has(name)) row += memberText(name, texts.instant(minutes[name]))
      if (columns.has(local)) row += memberText(local, texts.local(minutes[name]))
    }
    const { year, month, day: dayOfMonth } = hijri
    const rest = { hijri_year: year, hijri_month: month, hijri_day: dayOfMonth, is_ramadan: isRamadan, moved }
    return `${row}${membersOf(only(rest, columns))}}`
  })
  return `[${rows.join()}]`
}

/** In rows that could be read instead: as much of the sandbox's limit as at `/v1/times`. */
const ROWS_PER_DAY = 25
const ROWS_PER_ZONE = 1000
/** It is read by its key, by a statement of its own. */
const ROWS_PER_MASJID = 20

interface Reading {
  readonly who: string
  readonly listed?: boolean | undefined
  read(query: Sql): Promise<string>
}

interface Wanted {
  readonly schema: DataSchema
  readonly columns: Columns
}

type RowsQuestion = PlaceQuestion | MasjidQuestion

const isOfMasjid = (question: RowsQuestion): question is MasjidQuestion => 'masjidId' in question

const costOf = (question: RowsQuestion): number => {
  const { range } = question
  const days = range === undefined ? 1 : range.to - range.from + 1
  const found = isOfMasjid(question) ? ROWS_PER_MASJID : question.timeZone === undefined ? ROWS_PER_ZONE : 0
  return days * ROWS_PER_DAY + found
}

const read = ({ masjid_id = null, ...raw }: RawQuestion): RowsQuestion =>
  masjid_id === null ? readQuestion(raw) : readMasjidQuestion({ masjid_id, ...raw })

/** @param noteAsked told which masjids of the live data somebody asked for */
export const createPlaceRows = (places: PlaceTimes, noteAsked: (masjid: string) => void) => ({
  read,
  costOf,
  writeRows: async (reading: Reading, question: RowsQuestion, { schema, columns }: Wanted): Promise<string> => {
    const isMasjid = isOfMasjid(question)
    const settled = isMasjid
      ? await settleMasjid(question, { ...places, ...reading, schema })
      : await places.settle(reading.who, question)
    if (isMasjid && schema === 'public' && reading.listed !== true) noteAsked(question.masjidId)
    return writeDays({ settled, days: places.calculate(settled) }, columns)
  },
})
