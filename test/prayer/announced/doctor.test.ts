// What the doctor says of rows that are not what the rules give, and of rows that nobody stores.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { checkAnnouncedTimes } from '../../../src/commands/doctor/check-announced-times.ts'
import type { Subject } from '../../../src/commands/doctor/subject.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { withClient } from '../../../src/db/with-client.ts'
import { checkNext } from '../../../src/prayer/announced/keep-times.ts'
import { useDatabase } from '../../support/open-database.ts'
import { insertKept, keepAll, reach } from './use-kept-times.ts'

const database = useDatabase()
let masjid = ''
before(async () => {
  masjid = (await insertKept(database()))[0] ?? ''
})

const look = (isMigrated = true) =>
  withClient(database().connection, async client => {
    const [found] = await checkAnnouncedTimes.look({ client, isMigrated } as Subject)
    assert.ok(found)
    return found
  })

test('rows as the rules give them are fine', async () => {
  assert.deepEqual(await look(), {
    check: 'announced-times',
    status: 'ok',
    found: 'The prayer times of 1 masjid, those compared longest ago, are what their rules give.',
  })
})

test('before the migrations there is nothing to compare', async () => {
  assert.equal((await look(false)).status, 'skipped')
})

test('rows that wait for long are a warning, and right', async () => {
  await database().run(
    sql`insert into outdated_times (masjid_id, since) values (${masjid}, now() - interval '20 minutes')`,
  )
  const { status, found } = await look()
  assert.equal(status, 'warning')
  assert.match(found, /1 masjid have waited for more than 10 minutes/)
  await keepAll(database())
  assert.equal((await look()).status, 'ok')
})

test('a row too many, too few or with another time is a fault, and what it says mends it', async () => {
  for (const change of [
    `delete from announced_times where masjid_id = '${masjid}' and date = '2026-02-20' and prayer = 'fajr'`,
    `update announced_times set iqamah_at = now() where masjid_id = '${masjid}' and date = '2026-02-20' and prayer = 'fajr'`,
    `insert into announced_times (masjid_id, date, prayer, session, timezone, is_ramadan, source, given_at)
     values ('${masjid}', '2026-02-20', 'fajr', 9, 'UTC', false, 'manual', now())`,
  ]) {
    await database().run(rawSql(change))
    const { status, remedy = '' } = await look()
    assert.equal(status, 'fault', change)
    const [, statement = ''] = /: (update .*);/.exec(remedy) ?? []
    await database().run(rawSql(statement))
    assert.equal((await checkNext(database(), reach))?.wrong, 1)
    assert.equal(await checkNext(database(), reach), undefined)
    assert.equal((await look()).status, 'ok', change)
  }
})
