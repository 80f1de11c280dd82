// Local times and instants in every zone: the database as the runtime, whatever rules the server has, and anew when an offset changes.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { instantOf, localTimeAt } from '../../../src/base/local-time.ts'
import { zoneNames } from '../../../src/base/zone-names.ts'
import { sql } from '../../../src/db/sql.ts'
import { useDatabase } from '../../support/open-database.ts'

const database = useDatabase()
const DAYS = 400
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS

/** At every change within the days: a second and half an hour before and after, and the same after an hour and two. */
const aroundChanges = (zone: string): number[] => {
  const moments: number[] = []
  let moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  for (
    ;
    moment !== null && moment.epochMilliseconds < now + DAYS * DAY_MS;
    moment = moment.getTimeZoneTransition('next')
  )
    for (const minutes of [-61, -60, -30, -1 / 60, 0, 30, 60, 90, 120])
      moments.push(moment.epochMilliseconds + minutes * MINUTE_MS)
  return moments
}

/** Between them nothing changes; every few days, at another hour each time, shows that no change was overlooked. */
const between = Array.from({ length: DAYS / 4 }, (_, index) => now + index * 4 * DAY_MS + index * 7 * 60 * MINUTE_MS)

const compare = async (zone: string, moments: readonly number[]): Promise<number> => {
  const rows = await database().query<{ local: string; back: Date }>(sql`
    select to_char(local_time(moment, clock), 'YYYY-MM-DD"T"HH24:MI:SS') as local,
      local_instant(moment at time zone 'UTC', clock) as back
    from zone_offsets, unnest(${moments.map(moment => new Date(moment))}::timestamptz[]) with ordinality given (moment, place)
    where zone = ${zone} order by place`)
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return moments.filter((moment, index) => {
    const row = rows[index]
    const asLocal = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO('UTC').toPlainDateTime()
    const instant = asLocal.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds
    return row?.local !== intl.format(moment).replace(' ', 'T') || row.back.getTime() !== instant
  }).length
}

test('every zone of the runtime, around each change of 400 days and between them, both ways: no difference', async () => {
  const listed = new Set(Intl.supportedValuesOf('timeZone'))
  const found: string[] = []
  for (const zone of zoneNames()) {
    const moments = [...aroundChanges(zone), ...(listed.has(zone) ? between : [])]
    if ((await compare(zone, moments)) > 0) found.push(zone)
  }
  assert.deepEqual(found, [])
})

test('every zone of the server that the runtime knows is a zone for us, and no abbreviation is', async () => {
  const rows = await database().query<{ name: string; known: boolean }>(
    sql`select name, is_time_zone(name) as known from pg_timezone_names where name ~ '^[A-Z][A-Za-z]*(/[A-Za-z_-]+){1,2}$'`,
  )
  const understood = (name: string): boolean => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
    } catch {
      return false
    }
  }
  assert.deepEqual(
    rows.filter(({ name, known }) => known !== understood(name)),
    [],
  )
  const refused = await database().query<{ name: string }>(sql`
    select name from unnest('{EST,EST5EDT,GMT+5,Etc/GMT+5,Nowhere/City5,america/new_york}'::text[]) name where is_time_zone(name)`)
  assert.deepEqual(refused, [])
})

/** Zone, local time, the instant that is meant. */
const named = [
  // no 30 December 2011: what is asked of it is a day later
  ['Pacific/Apia', '2011-12-29T23:59:59', '2011-12-30T09:59:59Z'],
  ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00Z'],
  ['Pacific/Apia', '2011-12-31T00:00:00', '2011-12-30T10:00:00Z'],
  // half an hour
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T01:45:00', '2027-04-03T14:45:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T02:00:00', '2027-04-03T15:30:00Z'],
  // changed by its government in 2026
  ['Africa/Casablanca', '2026-12-04T13:30:00', '2026-12-04T13:30:00Z'],
  ['America/Edmonton', '2026-12-04T13:30:00', '2026-12-04T19:30:00Z'],
  // at midnight
  ['Africa/Cairo', '2027-04-30T00:30:00', '2027-04-29T22:30:00Z'],
  ['Africa/Cairo', '2026-10-29T23:30:00', '2026-10-29T20:30:00Z'],
] as const

test('Apia, Lord Howe, Casablanca, Edmonton and Cairo, in the database and here', async () => {
  for (const [zone, local, instant] of named) {
    const row = await database().first<{ moment: Date; shown: string }>(sql`
      select local_instant(${local}::timestamp, ${zone}) as moment,
        to_char(local_time(${instant}::timestamptz, ${zone}), 'YYYY-MM-DD"T"HH24:MI:SS') as shown`)
    assert.equal(row?.moment.getTime(), Date.parse(instant), `${zone} ${local}`)
    assert.equal(instantOf(local, zone)?.getTime(), Date.parse(instant), `${zone} ${local}`)
    assert.equal(row?.shown, localTimeAt(new Date(instant), zone), `${zone} ${instant}`)
  }
})

test('before 1970 the first offset holds, and from 2100 on the last, here as there', async () => {
  for (const [zone, year] of [
    ['Europe/London', 1900],
    ['America/New_York', 2150],
    ['Asia/Kathmandu', 1900],
  ] as const) {
    const local = `${year}-07-01T12:00:00`
    const row = await database().first<{ moment: Date }>(
      sql`select local_instant(${local}::timestamp, ${zone}) as moment`,
    )
    assert.equal(row?.moment.getTime(), instantOf(local, zone)?.getTime(), local)
  }
})

const shift = (zone: string, seconds: number) => sql`
  update zone_offsets set clock.seconds = array(select one + ${seconds}::int from unnest((zone_offsets.clock).seconds) one) where zone = ${zone}`

test('a prepared statement whose plan is kept follows a changed offset', async () => {
  await database().transaction(async transaction => {
    const ask = async () => (await transaction.first<{ moment: string }>(sql`execute noon`))?.moment
    await transaction.run(sql`set local plan_cache_mode = force_generic_plan`)
    await transaction.run(sql`
      prepare noon as select local_instant(timestamp '2027-01-04 12:00', 'Asia/Karachi')::text || prayer_instant('2027-01-04', '12:00', false, 'Asia/Karachi') as moment`)
    const before = await ask()
    await ask()
    await transaction.run(shift('Asia/Karachi', 3600))
    assert.notEqual(await ask(), before)
    await transaction.run(shift('Asia/Karachi', -3600))
    assert.equal(await ask(), before)
    await transaction.run(sql`deallocate noon`)
  })
})

test('nothing in the database asks the server for a zone', async () => {
  const asking = await database().query<{ name: string }>(sql`
    with source (name, text) as (
      select oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc
      where prokind = 'f' and pronamespace in ('public'::regnamespace, 'minaret'::regnamespace, 'changes'::regnamespace)
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      union all
      select oid::regclass::text, pg_get_viewdef(oid) from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
      union all
      select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
    )
    select name from source where text ~* 'at time zone (?!''utc'')' or text ~* 'timezone[(]' order by name`)
  assert.deepEqual(asking, [])
})

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('and nothing of ours does', () => {
  const ours = globSync('src/**/*.ts', { cwd: root }).filter(file => file !== 'src/db/zone-offsets/server-offsets.ts')
  const asking = ours.filter(file =>
    /at time zone (?!'UTC')/i.test(readFileSync(`${root}${file}`, 'utf8').replaceAll(/"at time zone"/g, '')),
  )
  assert.deepEqual(asking, [])
})
