// The arguments of `pc_times_at` → rows of `pc_place_times`, as JSON: the same question and calculation as at `/v1/times`.
import { timeNames } from './calculate-place.ts'
import { describePlace } from './describe-place.ts'
import { instantTexts } from './instant-text.ts'
import type { PlaceTimes } from './place-times.ts'
import type { PlaceQuestion } from './question.ts'
import { readQuestion } from './read-question.ts'
import type { AnsweredQuestion } from './write-answer.ts'

/** `fajr` and `fajr_local`. */
const columnNames = timeNames.map(name => [name, `${name}_local`] as const)

const writeRows = ({ settled, days }: AnsweredQuestion): string => {
  const texts = instantTexts(settled.place.timeZone)
  // The same for every day: written once.
  const place = JSON.stringify(describePlace(settled)).slice(0, -1)
  const rows = days.map(({ day, hijri, isRamadan, times, moved }) => {
    const row: Record<string, unknown> = { date: texts.dateOf(day) }
    for (const [name, local] of columnNames) {
      row[name] = texts.instant(times[name])
      row[local] = texts.local(times[name])
    }
    const { year, month, day: dayOfMonth } = hijri
    const date = { hijri_year: year, hijri_month: month, hijri_day: dayOfMonth }
    const written = JSON.stringify(Object.assign(row, date, { is_ramadan: isRamadan, moved }))
    return `${place},${written.slice(1)}`
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
  writeRows: async (who: string, question: PlaceQuestion): Promise<string> => {
    const settled = await places.settle(who, question)
    return writeRows({ settled, days: places.calculate(settled) })
  },
})
