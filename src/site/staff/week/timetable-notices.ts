// The published timetables that a change meets → what the preview says of them, and the question whether to replace their days.
import { pluralForm } from '../../../base/in-words.ts'
import type { View } from '../../frame/view.ts'
import { checkboxGroup } from '../../pieces/choices.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { nearDay } from '../times/day-words.ts'
import type { TimetablesOfChange } from './timetables-of-change.ts'
import type { Tried } from './try-change.ts'

/** Where the change ends because a timetable begins. */
export const timetableAfter = (view: View, { today, follows }: TimetablesOfChange): Html | false =>
  follows !== undefined &&
  notice({
    tone: 'info',
    text: fill(view.texts.week.timetableAfter, {
      first: nearDay(view, follows.first, today),
      name: follows.name,
      published: nearDay(view, follows.publishedOn, today),
    }),
  })

/** What the form sends of the question: which days were shown. */
export const expectedTimetables = ({ replaces }: Tried): Readonly<Record<string, string>> =>
  Object.keys(replaces).length === 0 ? {} : { expected_timetables: JSON.stringify(replaces) }

interface Question {
  readonly timetables: TimetablesOfChange
  readonly publish: { readonly replace_timetables: string }
  readonly faults: { readonly replace_timetables?: string }
}

export const askReplacing = (
  view: View,
  { timetables: { today, replaced }, publish, faults }: Question,
): Html | false => {
  const { week } = view.texts
  if (replaced.length === 0) return false
  const lines = replaced.map(({ days, publishedOn, name }) =>
    fill(pluralForm(days, week.replacesDays, view.language), {
      count: days,
      published: nearDay(view, publishedOn, today),
      name,
    }),
  )
  const total = replaced.reduce((sum, { days }) => sum + days, 0)
  return html`<div class="notice warn"><ul class="plain-list">${lines.map(line => html`<li>${line}</li>`)}</ul></div>
${checkboxGroup({
  name: 'replace_timetables',
  label: week.replaceTitle,
  hint: week.replaceHint,
  fault: faults.replace_timetables,
  choices: [
    {
      value: 'yes',
      label: fillText(pluralForm(total, week.replaceChoice, view.language), { count: total }),
    },
  ],
  chosen: [publish.replace_timetables],
})}`
}
