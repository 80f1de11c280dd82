// Zones → the offsets that the server itself expects in them, beside the stored ones.
import type pg from 'pg'
import { type Offsets, SPAN_DAYS, type UsedZone } from './compare-offsets.ts'

/** Every six hours, and around each change that is stored: no two changes of a zone are nearer to each other. */
const readMoments = async (client: pg.Client, { zone, stored }: UsedZone, now: Date): Promise<Offsets> => {
  const changes = (stored ?? []).flatMap(([moment]) => [moment - 1000, moment])
  const { rows } = await client.query<{ moment: number; seconds: number }>(
    `select extract(epoch from moment)::float8 * 1000 as moment,
       extract(epoch from (moment at time zone $1) - (moment at time zone 'UTC'))::int as seconds
     from (
       select generate_series($2::timestamptz, $2::timestamptz + make_interval(hours => $3), interval '6 hours')
       union select to_timestamp(unnest($4::float8[]) / 1000)) moments (moment)
     where moment >= $2 order by 1`,
    [zone, now, SPAN_DAYS * 24, changes],
  )
  return rows.map(({ moment, seconds }) => [moment, seconds])
}

/** None of a zone that the server does not know. */
export const readServerOffsets = async (
  client: pg.Client,
  used: readonly UsedZone[],
  now: Date,
): Promise<UsedZone[]> => {
  const { rows } = await client.query<{ name: string }>('select name from pg_timezone_names')
  const known = new Set(rows.map(({ name }) => name))
  const compared: UsedZone[] = []
  for (const one of used)
    compared.push({ ...one, ours: known.has(one.zone) ? await readMoments(client, one, now) : null })
  return compared
}
