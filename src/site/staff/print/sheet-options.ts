// What somebody chose to print → checked options; whatever is unknown becomes the usual choice.
import type { Language } from '../../../accounts/languages.ts'
import { otherTimes, type ScreenSettings } from '../../../screens/settings.ts'
import type { FormValues } from '../../frame/form-body.ts'
import type { View } from '../../frame/view.ts'

export const styles = ['classic', 'modern', 'plain'] as const
export const languageChoices = ['en', 'ar', 'both'] as const
export const clocks = ['h24', 'h12'] as const
export const imsaks = ['none', 'm10', 'm15'] as const
export const othersChoices = Object.keys(otherTimes) as ScreenSettings['other_times'][]

export interface SheetOptions {
  /** `2026-12`, or `ramadan`. */
  readonly month: string
  readonly style: (typeof styles)[number]
  readonly language: (typeof languageChoices)[number]
  readonly clock: (typeof clocks)[number]
  readonly imsak: (typeof imsaks)[number]
  /** As on screens. */
  readonly others: ScreenSettings['other_times']
}

const oneOf = <Choice extends string>(choices: readonly Choice[], given: string, usual: Choice): Choice =>
  choices.find(choice => choice === given) ?? usual

const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)

export const readOptions = (query: FormValues, { language }: View, today: string): SheetOptions => {
  const month = query.text('month')
  return {
    month: month === 'ramadan' || isMonth(month) ? month : today.slice(0, 7),
    style: oneOf(styles, query.text('style'), 'classic'),
    language: oneOf(languageChoices, query.text('language'), language),
    clock: oneOf(clocks, query.text('clock'), 'h24'),
    imsak: oneOf(imsaks, query.text('imsak'), 'none'),
    others: oneOf(othersChoices, query.text('others'), 'none'),
  }
}

export const optionsQuery = (options: SheetOptions): string => new URLSearchParams({ ...options }).toString()

export const languagesOf = ({ language }: SheetOptions): readonly Language[] =>
  language === 'both' ? ['en', 'ar'] : [language]

export const imsakMinutes = ({ imsak }: SheetOptions): number | undefined =>
  ({ none: undefined, m10: 10, m15: 15 })[imsak]
