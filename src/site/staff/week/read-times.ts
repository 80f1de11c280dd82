// A masjid and a stretch of days → its times, read as apps read them.
import type { Engine } from '../../../graphql/create-graphql.ts'
import type { SignedInVisit } from '../../frame/page-routes.ts'
import type { PrayerTime } from '../../hall/prayer-time.ts'
import { type DayStretch, timesLists } from '../../hall/times-lists.ts'
import { read } from '../ask.ts'

export interface Stretch extends DayStretch {
  readonly masjid: string
}

export const readTimes = async (
  graphql: Engine,
  visit: SignedInVisit,
  { masjid, ...stretch }: Stretch,
): Promise<PrayerTime[]> => {
  const lists = timesLists('part', stretch)
  const data = await read<Record<string, PrayerTime[]>>(graphql, visit, {
    query: `query Times($masjid: uuid!, ${lists.parameters}) {\n  ${lists.fields}\n}`,
    variables: { masjid, ...lists.variables },
  })
  return lists.rowsIn(data)
}

export const byDate = (times: readonly PrayerTime[]): ReadonlyMap<string, readonly PrayerTime[]> =>
  Map.groupBy(times, ({ date }) => date)
