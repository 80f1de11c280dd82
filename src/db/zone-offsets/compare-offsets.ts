// The zones in use → those of which the database and this runtime expect other offsets within 400 days.
import type pg from 'pg'
import { lastUpTo, zoneClockOf } from '../../base/zone-clock.ts'
import type { DataSchema } from '../data-schema.ts'

/** Masjids are calculated and events take place this far ahead. */
export const SPAN_DAYS = 400
const DAY_MS = 86_400_000

/** The offset at a moment, then each that follows within the span. */
export type Offsets = readonly (readonly [moment: number, seconds: number])[]

export interface UsedZone {
  readonly zone: string
  /** Null: the database has none. */
  readonly stored: Offsets | null
  /** Null: this runtime does not know the zone. */
  readonly ours: Offsets | null
}

const endOf = (now: Date): number => now.getTime() + SPAN_DAYS * DAY_MS

const offsetsOf = (zone: string, now: Date): Offsets | null => {
  const clock = zoneClockOf(zone)
  if (clock === undefined) return null
  const [first, last] = [lastUpTo(clock.since, now.getTime()), lastUpTo(clock.since, endOf(now) - 1)]
  return clock.seconds
    .slice(first, last + 1)
    .map((seconds, index) => [Math.max(now.getTime(), Number(clock.since[first + index])), seconds])
}

/** Masjids' and events'. */
export const readUsedZones = async (client: pg.Client, schema: DataSchema, now: Date): Promise<UsedZone[]> => {
  const { rows } = await client.query<Omit<UsedZone, 'ours'>>(
    // Each zone from the one before, by index: there are some hundreds, whatever the number of masjids.
    `with recursive masjid (zone) as (
       select min(timezone) from ${schema}.up_masjids
       union all
       select (select min(timezone) from ${schema}.up_masjids where timezone > masjid.zone) from masjid where masjid.zone is not null
     )
     select used.zone, (
       select json_agg(json_build_array((extract(epoch from greatest(since, $1)) * 1000)::bigint, seconds) order by since)
       from (select since, seconds, lead(since, 1, 'infinity') over (order by since) as until
         from unnest((known.clock).since, (known.clock).seconds) change (since, seconds)) change
       where since < $2 and until > $1) as stored
     from (select zone from masjid where exists (
         select from ${schema}.up_masjids where timezone = masjid.zone and deleted_at is null)
       union select timezone from ${schema}.up_events where deleted_at is null) used
     left join ${schema}.zone_offsets known on known.zone = used.zone
     order by used.zone`,
    [now, new Date(endOf(now))],
  )
  return rows.map(row => ({ ...row, ours: offsetsOf(row.zone, now) }))
}

const at = (offsets: Offsets, moment: number): number | undefined => offsets.findLast(([since]) => since <= moment)?.[1]

/** The first moment at which two disagree; undefined: they agree. */
const disagreeFrom = (one: Offsets, other: Offsets): Date | undefined => {
  const moments = [...one, ...other].map(([moment]) => moment).sort((a, b) => a - b)
  const first = moments.find(moment => at(one, moment) !== at(other, moment))
  return first === undefined ? undefined : new Date(first)
}

export interface Disagreement {
  readonly zone: string
  readonly from: Date
}

export const disagreements = (used: readonly UsedZone[]): Disagreement[] =>
  used.flatMap(({ zone, stored, ours }) => {
    const from = stored === null || ours === null ? undefined : disagreeFrom(stored, ours)
    return from === undefined ? [] : [{ zone, from }]
  })

const MOST_NAMED = 5

/** `Africa/Casablanca (from 2026-11-19), America/Edmonton (from 2027-03-14) and 3 more` */
export const describeDisagreements = (found: readonly Disagreement[]): string => {
  const named = found.slice(0, MOST_NAMED).map(({ zone, from }) => `${zone} (from ${from.toISOString().slice(0, 10)})`)
  return named.join(', ') + (found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '')
}
