// A masjid and a month → its days: what people pray by, sunrise and the hijri date.

import { localTimeAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import { type OtherTime, otherTimes } from '../../../screens/settings.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import type { PrayerTime } from '../../hall/prayer-time.ts'
import { read } from '../ask.ts'
import { fridayFrom } from '../week/days.ts'
import { byDate, readTimes } from '../week/read-times.ts'

export interface SheetDay {
  readonly date: string
  readonly times: readonly PrayerTime[]
  readonly sunrise: string | null
  /** What is no prayer, where it is known. */
  readonly others: Readonly<Partial<Record<OtherTime, string | null>>>
}

export interface Sheet {
  readonly masjid: StaffedMasjid
  readonly days: readonly SheetDay[]
  /** Of Ramadan: Taraweeh of the evening before its first day. */
  readonly eve?: PrayerTime | undefined
}

interface Stretch {
  readonly from: string
  readonly days: number
}

export const monthStretch = (month: string): Stretch => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: `${month}-01`, days: new Date(Date.UTC(year, number, 0)).getUTCDate() }
}

const { night } = otherTimes

const SUNRISES = `query Sunrises($masjid: uuid!, $from: date!, $days: Int!) {
  days: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $from}}, order_by: [{date: asc}], limit: $days) { date sunrise ${night.join(' ')} }
}`

type SunRow = Readonly<Record<'sunrise' | OtherTime, string | null>> & { readonly date: string }

/** A day with what people ask about most: on other days than Friday, the coming Jumu'ah too. */
export const readDay = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, date }: { readonly masjid: StaffedMasjid; readonly date: string },
): Promise<SheetDay | undefined> => {
  const { days } = await readSheet(graphql, visit, { masjid, stretch: { from: date, days: 1 } })
  const [day] = days
  const friday = fridayFrom(date)
  if (day === undefined || friday === date) return day
  const ahead = await readSheet(graphql, visit, { masjid, stretch: { from: friday, days: 1 } })
  const jumuah = ahead.days.flatMap(({ times }) => times.filter(({ prayer }) => prayer === 'jumuah'))
  return { ...day, times: [...day.times, ...jumuah] }
}

export const readSheet = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, stretch }: { readonly masjid: StaffedMasjid; readonly stretch: Stretch },
): Promise<Sheet> => {
  const times = byDate(await readTimes(graphql, visit, { masjid: masjid.id, ...stretch }))
  const { days } = await read<{ readonly days: readonly SunRow[] }>(graphql, visit, {
    query: SUNRISES,
    variables: { masjid: masjid.id, ...stretch },
  })
  const rows = new Map(days.map(row => [row.date, row]))
  return {
    masjid,
    days: [...times].map(([date, ofDay]) => {
      const row = rows.get(date)
      const local = (name: 'sunrise' | OtherTime): string | null =>
        row?.[name] == null ? null : localTimeAt(new Date(row[name]), masjid.timezone)
      const others = Object.fromEntries(night.map(name => [name, local(name)]))
      return { date, times: ofDay, sunrise: local('sunrise'), others }
    }),
  }
}
