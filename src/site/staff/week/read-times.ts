// A masjid and a stretch of days → its times, read as apps read them, at most 100 rows in a list.
import type { Engine } from '../../../graphql/create-graphql.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import { type PrayerTime, prayerTimeFields } from '../../hall/prayer-time.ts'
import { read } from '../ask.ts'
import { addDays } from './masjid-clock.ts'

export interface Stretch {
  readonly masjid: string
  readonly from: string
  readonly days: number
}

/** Even with nine sessions of each prayer these days fit one list. */
const DAYS_IN_LIST = 4

const lists = (count: number): string =>
  Array.from(
    { length: count },
    (
      _,
      index,
    ) => `part${index}: pc_prayer_times(where: {masjid_id: {_eq: $masjid}, date: {_gte: $from${index}, _lt: $until${index}}},
    order_by: [{date: asc}, {prayer: asc}, {session: asc}]) { ${prayerTimeFields} }`,
  ).join('\n  ')

const parameters = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$from${index}: date!, $until${index}: date!`).join(', ')

export const readTimes = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, from, days }: Stretch,
): Promise<PrayerTime[]> => {
  const count = Math.ceil(days / DAYS_IN_LIST)
  const bounds = Array.from({ length: count }, (_, index) => [
    [`from${index}`, addDays(from, index * DAYS_IN_LIST)],
    [`until${index}`, addDays(from, Math.min(days, (index + 1) * DAYS_IN_LIST))],
  ])
  const parts = await read<Record<string, PrayerTime[]>>(graphql, visit, {
    query: `query Times($masjid: uuid!, ${parameters(count)}) {\n  ${lists(count)}\n}`,
    variables: { masjid, ...Object.fromEntries(bounds.flat()) },
  })
  return Array.from({ length: count }, (_, index) => parts[`part${index}`] ?? []).flat()
}

export const byDate = (times: readonly PrayerTime[]): ReadonlyMap<string, readonly PrayerTime[]> =>
  Map.groupBy(times, ({ date }) => date)
