// A masjid and a stretch of days → what is calculated and what stands now, on its clock.
import type { Queryable } from '../../db/database.ts'
import { identifier, joinSql, sql } from '../../db/sql.ts'
import type { CalculatedDay, StandingTime } from '../review/compare.ts'
import type { KnownDays } from '../review/known.ts'

export interface Stretch {
  readonly masjidId: string
  readonly timezone: string
  readonly first: string
  readonly last: string
}

const clocks = joinSql(
  ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'].map(
    name => sql`to_char(public.local_time(${identifier(name)}, zone.clock), 'HH24:MI') as ${identifier(name)}`,
  ),
)

export const readCalculated = (
  queryable: Queryable,
  { masjidId, timezone, first, last }: Stretch,
): Promise<CalculatedDay[]> =>
  queryable.query<CalculatedDay>(sql`
    select date, ${clocks} from public.pc_calculated_times join public.zone_offsets zone on zone.zone = ${timezone}
    where masjid_id = ${masjidId} and date between ${first} and ${last} order by date`)

const readStanding = (queryable: Queryable, { masjidId, first, last }: Stretch): Promise<StandingTime[]> =>
  queryable.query<StandingTime>(sql`
    select date, prayer, session, to_char(adhan_local, 'HH24:MI') as adhan, to_char(iqamah_local, 'HH24:MI') as iqamah
    from public.pc_prayer_times where masjid_id = ${masjidId} and date between ${first} and ${last}`)

export const readKnown = async (queryable: Queryable, stretch: Stretch): Promise<KnownDays> => {
  const [calculated, standing] = await Promise.all([
    readCalculated(queryable, stretch),
    readStanding(queryable, stretch),
  ])
  return { timezone: stretch.timezone, first: stretch.first, last: stretch.last, calculated, standing }
}
