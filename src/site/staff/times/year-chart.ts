// The times of a sheet and the calculated ones → lines over the year. The table beside it has the same times.

import { dayNumberOf } from '../../../base/civil-date.ts'
import { dailyPrayers } from '../../../prayer/daily-prayers.ts'
import type { CalculatedDay, ComparedEntry } from '../../../timetables/review/compare.ts'
import { calculatedAdhan, onDay } from '../../../timetables/review/compare.ts'
import type { DailyPrayer } from '../../../timetables/words/heading-words.ts'
import type { View } from '../../frame/view.ts'
import { type Html, html } from '../../pieces/html.ts'

const WIDTH = 720
const HEIGHT = 340
const LEFT = 34
const BOTTOM = 320
const LATEST = 26 * 60

export interface ChartInput {
  readonly entries: readonly ComparedEntry[]
  readonly calculated: ReadonlyMap<string, CalculatedDay>
}

interface Point {
  readonly day: number
  readonly minutes: number
}

const round = (number: number): number => Math.round(number * 10) / 10
const heightOf = (minutes: number): number => round(BOTTOM - (minutes / LATEST) * (BOTTOM - 6))

/** A new line where days are missing. */
const pathOf = (points: readonly Point[], across: (day: number) => number): string =>
  points
    .map(({ day, minutes }, index) => {
      const joined = index > 0 && day - (points[index - 1]?.day ?? 0) === 1
      return `${joined ? 'L' : 'M'}${across(day)} ${heightOf(minutes)}`
    })
    .join('')

const givenPoints = (entries: readonly ComparedEntry[], prayer: DailyPrayer): Point[] =>
  entries.flatMap(entry => {
    const clock = entry.iqamah ?? entry.adhan
    return entry.prayer === prayer && entry.session === 1 && clock !== undefined
      ? [{ day: dayNumberOf(entry.date), minutes: onDay(clock, prayer) }]
      : []
  })

const calculatedPoints = ({ calculated }: ChartInput, prayer: DailyPrayer): Point[] =>
  [...calculated.values()].flatMap(day => {
    const clock = calculatedAdhan(day, prayer)
    return clock === undefined ? [] : [{ day: dayNumberOf(day.date), minutes: onDay(clock, prayer) }]
  })

/** Time runs from left to right in every script. */
export const yearChart = (view: View, input: ChartInput): Html => {
  const { staffTimes: texts, staff } = view.texts
  const days = input.entries.map(({ date }) => dayNumberOf(date))
  const [first, last] = [Math.min(...days), Math.max(...days)]
  const across = (day: number): number => round(LEFT + ((day - first) / Math.max(last - first, 1)) * (WIDTH - LEFT - 6))
  const doubtful = input.entries.filter(({ doubts }) => doubts.some(doubt => doubt !== 'clocks_change'))
  return html`<figure class="chart year-chart"><figcaption><strong>${texts.chartTitle}</strong> <span class="soft">${texts.chartSummary} ${texts.asTable}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${texts.chartTitle}. ${texts.chartSummary}`}" direction="ltr">
${[0, 6, 12, 18, 24].map(hour => html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${heightOf(hour * 60)}" y2="${heightOf(hour * 60)}"></line><text x="0" y="${heightOf(hour * 60) + 4}">${String(hour % 24).padStart(2, '0')}:00</text>`)}
${dailyPrayers.map(prayer => html`<path class="calculated" d="${pathOf(calculatedPoints(input, prayer), across)}"></path><path class="given" d="${pathOf(givenPoints(input.entries, prayer), across)}"><title>${staff.prayers[prayer]}</title></path>`)}
${doubtful.slice(0, 200).map(({ date, prayer, iqamah, adhan }) => html`<circle class="doubt" r="3" cx="${across(dayNumberOf(date))}" cy="${heightOf(onDay(iqamah ?? adhan ?? '00:00', prayer))}"></circle>`)}
</svg></figure>`
}
