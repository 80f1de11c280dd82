// How many times of a published timetable people pray by, and what stands above the others → words.
import { pluralForm } from '../../../base/in-words.ts'
import type { TimesInForce } from '../../../timetables/store/given-times.ts'
import type { View } from '../../frame/view.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { nearDay } from './day-words.ts'

const changesWords = (view: View, { changes, changedFrom, changedPrayers }: TimesInForce, today: string): Html => {
  const { staff, staffTimes: texts } = view.texts
  return fill(pluralForm(changes, texts.lostToChanges, view.language), {
    count: changes,
    prayers: (changedPrayers ?? []).map(prayer => staff.prayers[prayer]).join(texts.listComma),
    first: nearDay(view, changedFrom ?? today, today),
  })
}

/** Undefined if all of them are in force. */
export const inForceWords = (view: View, times: TimesInForce, today: string): Html | undefined => {
  const { staffTimes: texts } = view.texts
  const { all, newer, rules, changes } = times
  const lost = newer + rules + changes
  if (lost === 0) return undefined
  const lines = [
    changes > 0 && changesWords(view, times, today),
    newer > 0 && fill(pluralForm(newer, texts.lostToNewer, view.language), { count: newer }),
    rules > 0 && fill(pluralForm(rules, texts.lostToRules, view.language), { count: rules }),
  ].filter(line => line !== false)
  const sum = fillText(pluralForm(all, texts.inForce, view.language), { count: all, standing: all - lost })
  return html`<p class="soft">${sum}</p><ul class="soft">${lines.map(line => html`<li>${line}</li>`)}</ul>`
}
