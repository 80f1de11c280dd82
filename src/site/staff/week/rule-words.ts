// A rule, or a change → a sentence: "Isha from Friday 20 November: at 20:30".
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords, numberWords } from '../../hall/date-words.ts'
import { nameOf, type Prayer } from '../../hall/prayer-time.ts'
import { fillText } from '../../pieces/fill.ts'
import type { Texts } from '../../texts/texts.ts'

export interface Rule {
  readonly rule: 'fixed' | 'offset' | 'rounded_offset' | null
  readonly fixed_time: string | null
  readonly offset_minutes: number | null
  readonly round_to: number | null
}

export interface SeasonalRule extends Rule {
  readonly id: string
  readonly prayer: Prayer
  readonly session: number
  readonly label: string | null
  readonly season: keyof Texts['week']['seasons']
  readonly weekdays: readonly number[] | null
  readonly is_cancelled: boolean
  readonly khutbah_minutes: number | null
  readonly imam: string | null
  readonly language: string | null
  /** A range of dates, such as `[2026-11-20,)`. */
  readonly valid: string
  readonly version: number
}

export interface ChangeWords extends Rule {
  readonly prayer: Prayer
  readonly session: number
  readonly label: string | null
  readonly first_on: string
  readonly last_on: string | null
  /** The day before a published timetable begins, where a change without a last day ends. */
  readonly ends_on: string | null
}

export const ruleWords = ({ language, texts }: View, { rule, ...of }: Rule): string => {
  const { words } = texts.week
  if (rule === null) return words.none
  return fillText(words[rule], {
    time: clockWords(language, `1970-01-01T${of.fixed_time ?? '00:00:00'}`),
    minutes: numberWords(language, of.offset_minutes ?? 0),
    step: numberWords(language, of.round_to ?? 0),
  })
}

/** Any Monday plus the number of the day. */
const weekdayName = ({ language }: View, weekday: number): string =>
  dateWords(language, `2024-01-0${weekday}`, 'weekday')

export const seasonWords = (view: View, rule: SeasonalRule): string => {
  const { seasons } = view.texts.week
  const days = rule.weekdays?.map(weekday => weekdayName(view, weekday)).join(view.language === 'ar' ? '، ' : ', ')
  return [seasons[rule.season], days].filter(part => part !== undefined).join(' · ')
}

export const changeWords = (view: View, change: ChangeWords): string => {
  const { words } = view.texts.week
  const { first_on } = change
  const last_on = change.last_on ?? change.ends_on
  const kind = last_on === null ? 'from' : last_on === first_on ? 'only' : 'until'
  return fillText(words[kind], {
    prayer: nameOf(view.texts, change),
    first: dateWords(view.language, first_on),
    last: last_on === null ? '' : dateWords(view.language, last_on),
    rule: ruleWords(view, change),
  })
}
