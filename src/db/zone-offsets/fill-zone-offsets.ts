// The runtime's time zone rules → zone_offsets, unless the same or newer ones are there already.
import type pg from 'pg'
import { isOlderVersion } from '../../base/is-older-version.ts'
import type { Logger } from '../../base/log.ts'
import { zoneClockOf } from '../../base/zone-clock.ts'
import { zoneNames } from '../../base/zone-names.ts'
import { type DataSchema, dataSchemas } from '../data-schema.ts'
import { describeDisagreements, disagreements, readUsedZones } from './compare-offsets.ts'
import { readStoredRules, runtimeRules } from './stored-rules.ts'

const instantText = (milliseconds: number): string =>
  milliseconds === Number.NEGATIVE_INFINITY ? '-infinity' : new Date(milliseconds).toISOString()

const localText = (milliseconds: number): string => instantText(milliseconds).replace('Z', '')

const listed = (values: readonly (string | number)[] = []): string => `{${values.join()}}`

/** All zones in one statement: nobody sees rules of two versions. */
const store = async (client: pg.Client, schema: DataSchema, rules: string): Promise<void> => {
  const zones = zoneNames()
  const clocks = zones.map(zoneClockOf)
  await client.query(
    `insert into ${schema}.zone_offsets (zone, clock, rules)
     select zone, row(since::timestamptz[], since_local::timestamp[], seconds::integer[])::${schema}.zone_clock, $5
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) given (zone, since, since_local, seconds)
     on conflict (zone) do update set clock = excluded.clock, rules = excluded.rules`,
    [
      zones,
      clocks.map(clock => listed(clock?.since.map(instantText))),
      clocks.map(clock => listed(clock?.sinceLocal.map(localText))),
      clocks.map(clock => listed(clock?.seconds)),
      rules,
    ],
  )
}

interface Filling {
  readonly log: Logger
  /** Of this runtime, unless told. */
  readonly rules: string
  readonly now: Date
}

/** Written once by the runtime with the newest rules: an older one that runs beside it leaves them alone. */
const fill = async (client: pg.Client, schema: DataSchema, { log, rules, now }: Filling): Promise<void> => {
  const stored = await readStoredRules(client, schema)
  const differing = disagreements(await readUsedZones(client, schema, now))
  const zones = describeDisagreements(differing)
  if (stored !== undefined && isOlderVersion(rules, stored)) {
    log.warn({ stored, ours: rules, zones }, 'the database has newer time zone rules than this version of Minaret')
  } else if (stored !== rules || differing.length > 0) {
    await store(client, schema, rules)
    const line = { schema, from: stored, to: rules, zones }
    if (differing.length > 0) log.warn(line, 'time zones have other offsets now; what is to come keeps its local time')
    else log.debug(line, 'time zone rules are stored')
  }
}

/** Whoever calls it holds the lock of migrations. */
export const fillZoneOffsets = async (client: pg.Client, log: Logger, rules = runtimeRules()): Promise<void> => {
  for (const schema of dataSchemas) await fill(client, schema, { log, rules, now: new Date() })
}
