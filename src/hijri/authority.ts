// Who says when hijri months begin, and what they said → the calendar that follows from it between two days.
import type { DayNumber } from '../base/civil-date.ts'
import { masjidCalendar } from '../prayer/calculation/calculate-days.ts'
import {
  type Announced,
  byMonths,
  type HijriCalendar,
  type HijriDate,
  monthNumber,
  ummAlQura,
} from '../prayer/calculation/hijri.ts'
import { tabular } from './tabular.ts'

/** The calendars that nobody announces. */
export const calculatedAuthorities = ['umm_al_qura', 'tabular'] as const

export type CalculatedAuthority = (typeof calculatedAuthorities)[number]

/** Who is asked about; ids are of rows. */
export type AskedAuthority =
  | { readonly kind: 'calculated'; readonly name: CalculatedAuthority }
  | { readonly kind: 'authority'; readonly id: string }
  | { readonly kind: 'masjid'; readonly idOrSlug: string }

interface AnnouncedMonths {
  readonly kind: 'announced'
  /** Undefined: a masjid that follows none. */
  readonly authority: { readonly id: string; readonly name: string } | undefined
  readonly masjid: { readonly id: string; readonly slug: string; readonly timezone: string } | undefined
  readonly hijri_adjustment: number
  readonly announced: { readonly byAuthority: Announced; readonly byMasjid: Announced }
}

/** With all that its calendar follows from. */
export type HijriAuthority = { readonly kind: 'calculated'; readonly name: CalculatedAuthority } | AnnouncedMonths

export interface Span {
  readonly from: DayNumber
  readonly to: DayNumber
}

/** On both sides: the months at the ends are looked at as a whole, and so are those after them. */
const MARGIN = 70
/** Beyond that, where announced months have neighbours that were calculated. */
const NEIGHBOURS = 300

/** Right for the days of the span, and the months that they are in. */
export const calendarOf = (authority: HijriAuthority, { from, to }: Span): HijriCalendar => {
  const [first, last] = [from - MARGIN, to + MARGIN]
  if (authority.kind === 'calculated') return authority.name === 'tabular' ? tabular : byMonths(ummAlQura, first, last)
  const calculated = byMonths(ummAlQura, first - NEIGHBOURS, last + NEIGHBOURS)
  return masjidCalendar(authority, calculated, { first, days: last - first + 1 })
}

export type DecidedBy = 'calculated' | 'authority' | 'masjid'

/** Who said that a month begins on this day: an authority's month may have to make room for one that the masjid announced. */
export const deciderOf = (
  authority: HijriAuthority,
  { year, month }: Pick<HijriDate, 'year' | 'month'>,
  begins: DayNumber,
): DecidedBy => {
  if (authority.kind === 'calculated') return 'calculated'
  const { byAuthority, byMasjid } = authority.announced
  const number = monthNumber(year, month)
  if (byMasjid.get(number) === begins) return 'masjid'
  return byAuthority.get(number) === begins ? 'authority' : 'calculated'
}
