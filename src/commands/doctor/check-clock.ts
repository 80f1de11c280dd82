// Clocks and time zones: this machine's and the database's must agree, as prayer times and tokens are decided by both.
import { zoneOffsetOf } from '../../base/zone-offset.ts'
import { fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const NOTICEABLE_MS = 1000
/** Authorization codes live for a minute. */
const HARMFUL_MS = 10_000
const DAY_MS = 86_400_000
const MOST_ZONES = 1000

/** How far apart they are at least; the time that the question took could hide a little more. */
const readDifference = async ({ client, clock }: Subject): Promise<number> => {
  const before = clock.now().getTime()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const after = clock.now().getTime()
  const theirs = rows[0]?.now.getTime() ?? 0
  if (theirs < before) return theirs - before
  return Math.max(0, theirs - after)
}

export const checkClock: Check = {
  name: 'clock',
  look: async subject => {
    const difference = await readDifference(subject)
    const size = Math.abs(difference)
    const found = `The clock of the database is ${(size / 1000).toFixed(1)} seconds ${difference < 0 ? 'behind' : 'ahead of'} this machine's.`
    const remedy = 'Run a time service (chrony or systemd-timesyncd) on both machines.'
    if (size >= HARMFUL_MS) return [fault('clock', found, remedy)]
    if (size >= NOTICEABLE_MS) return [warning('clock', found, remedy)]
    return [ok('clock', 'The clocks of this machine and the database agree.')]
  },
}

/** Whose rules changed in recent years: old data is wrong about them. */
const telling = ['Africa/Cairo', 'America/Mexico_City', 'Asia/Almaty', 'Asia/Amman', 'Asia/Damascus', 'Europe/London']

const zonesInUse = async ({ client, isMigrated }: Subject): Promise<string[]> => {
  if (!isMigrated) return telling
  const { rows } = await client.query<{ zone: string }>(
    `select distinct timezone as zone from public.up_masjids limit ${MOST_ZONES}`,
  )
  return [...new Set([...telling, ...rows.map(({ zone }) => zone)])]
}

interface Offset {
  readonly zone: string
  readonly moment: Date
  /** Null if PostgreSQL does not know the zone. */
  readonly seconds: number | null
}

/** Four moments within a year: a rule that only one side knows shows in at least one of them. */
const readOffsets = async ({ client, clock }: Subject, zones: readonly string[]): Promise<Offset[]> => {
  const now = clock.now().getTime()
  const moments = [0, 91, 182, 273].map(days => new Date(now + days * DAY_MS))
  const { rows } = await client.query<Offset>(
    `select zone, moment, case when known then extract(epoch from (moment at time zone zone) - (moment at time zone 'UTC'))::int end as seconds
     from (select zone, exists (select from pg_timezone_names where lower(name) = lower(zone)) as known from unnest($1::text[]) as zone) as zones,
       unnest($2::timestamptz[]) as moment`,
    [zones, moments],
  )
  return rows
}

const agrees = ({ zone, moment, seconds }: Offset): boolean => {
  const ours = zoneOffsetOf(zone)
  return ours !== undefined && seconds === ours(moment.getTime()) / 1000
}

export const checkTimeZones: Check = {
  name: 'time-zones',
  look: async subject => {
    const offsets = await readOffsets(subject, await zonesInUse(subject))
    const differing = [...new Set(offsets.filter(offset => !agrees(offset)).map(({ zone }) => zone))]
    if (differing.length === 0) return [ok('time-zones', 'PostgreSQL and Minaret know the same time zones.')]
    return [
      warning(
        'time-zones',
        `PostgreSQL and Minaret disagree about ${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ` and ${differing.length - 5} more` : ''}: times there may be off.`,
        'Update the time zone data of the database server (Debian: tzdata) and restart PostgreSQL, then update Minaret.',
      ),
    ]
  },
}
