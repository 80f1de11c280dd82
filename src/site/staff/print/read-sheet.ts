// A masjid and a month → its days: what people pray by, sunrise and the hijri date.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Engine } from '../../../graphql/create-graphql.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import type { PrayerTime } from '../../hall/prayer-time.ts'
import { read } from '../ask.ts'
import { localNow } from '../week/masjid-clock.ts'
import { byDate, readTimes } from '../week/read-times.ts'

export interface SheetDay {
  readonly date: string
  readonly times: readonly PrayerTime[]
  readonly sunrise: string | null
}

export interface Sheet {
  readonly masjid: StaffedMasjid
  readonly days: readonly SheetDay[]
}

interface Stretch {
  readonly from: string
  readonly days: number
}

export const monthStretch = (month: string): Stretch => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: `${month}-01`, days: new Date(Date.UTC(year, number, 0)).getUTCDate() }
}

const SUNRISES = `query Sunrises($masjid: uuid!, $from: date!, $days: Int!) {
  days: pc_calculated_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $from}}, order_by: [{date: asc}], limit: $days) { date sunrise }
}`

interface Sunrises {
  readonly days: readonly { readonly date: string; readonly sunrise: string | null }[]
}

export const readSheet = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, stretch }: { readonly masjid: StaffedMasjid; readonly stretch: Stretch },
): Promise<Sheet> => {
  const times = byDate(await readTimes(graphql, visit, { masjid: masjid.id, ...stretch }))
  const { days } = await read<Sunrises>(graphql, visit, {
    query: SUNRISES,
    variables: { masjid: masjid.id, ...stretch },
  })
  const sunrises = new Map(days.map(({ date, sunrise }) => [date, sunrise]))
  return {
    masjid,
    days: [...times].map(([date, ofDay]) => {
      const sunrise = sunrises.get(date) ?? null
      return { date, times: ofDay, sunrise: sunrise === null ? null : localNow(masjid.timezone, new Date(sunrise)) }
    }),
  }
}
