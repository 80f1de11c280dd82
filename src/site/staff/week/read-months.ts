// A masjid → its hijri date, when its coming months begin and who decided that, and the days of the next Ramadan.
import { addDays } from '../../../base/civil-date.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import type { HijriDay } from '../../hall/date-words.ts'
import { read } from '../ask.ts'

interface Announced {
  readonly id: string
  readonly hijri_year: number
  readonly hijri_month: number
  readonly starts_on: string
}

interface Authority {
  readonly id: string
  readonly name: string
}

interface Answered {
  readonly masjid: {
    readonly hijri_authority: (Authority & { readonly months: readonly Announced[] }) | null
    readonly hijri_months: readonly Announced[]
  }
  readonly authorities: readonly Authority[]
  readonly today: readonly HijriDay[]
  readonly starts: readonly (HijriDay & { readonly date: string })[]
  readonly ramadan: readonly (HijriDay & { readonly date: string })[]
}

export interface Month {
  readonly year: number
  readonly month: number
  readonly startsOn: string
  readonly decidedBy: 'own' | 'authority' | 'calculated'
  /** The masjid's own announcement. */
  readonly announcementId: string | undefined
}

export interface Months {
  readonly today: HijriDay | undefined
  readonly coming: readonly Month[]
  readonly authority: Authority | null
  readonly authorities: readonly Authority[]
  readonly ramadanDays: readonly string[]
}

const announced = 'id hijri_year hijri_month starts_on'

const MONTHS = `query Months($masjid: uuid!, $today: date!, $since: date!) {
  masjid: up_masjids_by_pk(id: $masjid) {
    hijri_authority { id name months(where: {starts_on: {_gte: $since}}) { ${announced} } }
    hijri_months(where: {starts_on: {_gte: $since}}) { ${announced} }
  }
  authorities: pc_hijri_authorities(order_by: [{name: asc}, {id: asc}]) { id name }
  today: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, date: {_eq: $today}}) { hijri_year hijri_month hijri_day }
  starts: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, hijri_day: {_eq: 1}, date: {_gte: $today}},
    order_by: [{date: asc}], limit: 13) { date hijri_year hijri_month hijri_day }
  ramadan: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, is_ramadan: {_eq: true}, date: {_gte: $since}},
    order_by: [{date: asc}], limit: 30) { date hijri_year hijri_month hijri_day }
}`

const LOOK_BACK = 29

const isOf =
  ({ hijri_year, hijri_month }: HijriDay) =>
  (month: Announced): boolean =>
    month.hijri_year === hijri_year && month.hijri_month === hijri_month

export const readMonths = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, today }: { readonly masjid: string; readonly today: string },
): Promise<Months> => {
  const answered = await read<Answered>(graphql, visit, {
    query: MONTHS,
    variables: { masjid, today, since: addDays(today, -LOOK_BACK) },
  })
  const { hijri_authority: authority, hijri_months: own } = answered.masjid
  const coming = answered.starts.map((start): Month => {
    const announcementId = own.find(isOf(start))?.id
    const byAuthority = authority?.months.some(isOf(start)) === true
    const decidedBy = announcementId !== undefined ? 'own' : byAuthority ? 'authority' : 'calculated'
    return { year: start.hijri_year, month: start.hijri_month, startsOn: start.date, decidedBy, announcementId }
  })
  const [first] = answered.ramadan
  const ramadanDays = answered.ramadan.filter(day => day.hijri_year === first?.hijri_year).map(({ date }) => date)
  return { today: answered.today[0], coming, authority, authorities: answered.authorities, ramadanDays }
}
