// The arguments of `pc_times_at` → rows of `pc_place_times`, as JSON: the same question and calculation as at `/v1/times`.
import { timeNames } from './calculate-place.ts'
import { describePlace } from './describe-place.ts'
import { instantTexts, memberText } from './instant-text.ts'
import type { PlaceTimes } from './place-times.ts'
import type { PlaceQuestion } from './question.ts'
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
const writeRows = ({ settled, days }: AnsweredQuestion, columns: Columns): string => {
  const texts = instantTexts(settled.place.timeZone)
  // The same for every day: written once.
  const place = membersOf(only(describePlace(settled), columns))
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

const costOf = ({ range, timeZone }: PlaceQuestion): number => {
  const days = range === undefined ? 1 : range.to - range.from + 1
  return days * ROWS_PER_DAY + (timeZone === undefined ? ROWS_PER_ZONE : 0)
}

export const createPlaceRows = (places: PlaceTimes) => ({
  read: readQuestion,
  costOf,
  writeRows: async (who: string, question: PlaceQuestion, columns: Columns): Promise<string> => {
    const settled = await places.settle(who, question)
    return writeRows({ settled, days: places.calculate(settled) }, columns)
  },
})
