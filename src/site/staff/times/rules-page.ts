// The rules that fit a timetable → a form in which they are chosen.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { FittedRule, Offer } from '../../../timetables/fit/fit-rules.ts'
import type { PublishedTimetable } from '../../../timetables/store/published.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup } from '../../pieces/choices.ts'
import { fillCount, fillText, fillTitle } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import { shortDay } from './day-words.ts'
import { timesPath } from './times-page.ts'

export interface RulesParts {
  readonly masjid: StaffedMasjid
  readonly timetable: PublishedTimetable
  readonly offers: readonly Offer[]
  readonly fault?: string
}

export const offerName = ({ prayer, session }: Pick<Offer, 'prayer' | 'session'>): string => `${prayer}:${session}`

const weekdayName = ({ language }: View, weekday: number): string =>
  // 1 January 2024 was a Monday.
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, 0, weekday)))

const timing = ({ texts: { staffTimes: texts } }: View, one: FittedRule): string => {
  if (one.rule === 'fixed') return fillText(texts.ruleFixed, { time: one.fixed_time ?? '' })
  const minutes = one.offset_minutes ?? 0
  return one.rule === 'offset'
    ? fillText(texts.ruleOffset, { minutes })
    : fillText(texts.ruleRounded, { minutes, step: one.round_to ?? 0 })
}

const ruleWords = (view: View, one: FittedRule): string => {
  const { staffTimes: texts } = view.texts
  const rule = timing(view, one)
  const weekly =
    one.changes_on === undefined ? '' : `, ${fillText(texts.ruleWeekly, { day: weekdayName(view, one.changes_on) })}`
  if (one.from === undefined)
    return `${rule}${weekly}${one.season === undefined ? '' : ` ${texts.ruleSeasons[one.season]}`}`
  return fillText(texts.ruleRange, {
    rule,
    first: shortDay(view, one.from),
    last: one.until === undefined ? '…' : shortDay(view, one.until),
  })
}

const choiceOf = (view: View, offer: Offer) => {
  const { staff, staffTimes: texts } = view.texts
  const fits =
    offer.exceptions === 0
      ? fillCount(view.language, texts.ruleFits, offer.days)
      : fillCount(view.language, texts.ruleExceptions, offer.exceptions)
  const session = offer.session > 1 ? ` ${offer.session}` : ''
  return {
    value: offerName(offer),
    label: `${staff.prayers[offer.prayer]}${session}: ${offer.rules.map(one => ruleWords(view, one)).join('; ')}`,
    hint: fits.text.replace(/<[^>]*>/g, ''),
  }
}

export const rulesPage = (view: View, { masjid, timetable, offers, fault }: RulesParts): Html => {
  const { staff, staffTimes: texts } = view.texts
  const fitting = offers.filter(({ rules }) => rules.length > 0)
  const others = offers.filter(({ rules }) => rules.length === 0)
  const chosen = fitting.filter(({ exceptions }) => exceptions === 0).map(offerName)
  const title = fillTitle(texts.rulesTitle, { name: timetable.name })
  return staffFrame(view, {
    masjid,
    section: 'times',
    title,
    faulty: fault !== undefined,
    main: html`<p>${texts.rulesLead}</p>${fault !== undefined && faultList(view, { rules: fault })}
${others.map(({ prayer }) => notice({ tone: 'info', title: staff.prayers[prayer], text: texts.ruleNone }))}
${form(view, {
  action: timesPath(masjid, `published/${timetable.id}/rules`),
  fields: html`${fitting.length > 0 && checkboxGroup({ name: 'rules', label: title, choices: fitting.map(offer => choiceOf(view, offer)), chosen, ...(fault === undefined ? {} : { fault }) })}${actions(
    ...(fitting.length > 0 ? [submitButton({ text: texts.adopt, look: 'primary' })] : []),
    linkButton({ href: timesPath(masjid), text: texts.back }),
  )}`,
})}`,
  })
}
