// The job over marked masjids: one whose rows cannot be stored holds up no other.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createLogger } from '../../../src/base/log.ts'
import { openListener } from '../../../src/db/listener.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { createCounter } from '../../../src/metrics/counter.ts'
import { startKeepingTimes } from '../../../src/prayer/announced/start-keeping-times.ts'
import { within } from '../../support/oauth.ts'
import { useDatabase } from '../../support/open-database.ts'
import { insertKept, readersGetTheDefinition, rowsAreTheDefinition } from './use-kept-times.ts'

const database = useDatabase()
const log = createLogger('silent')
let masjids: string[] = []
before(async () => {
  masjids = await insertKept(database(), [{}, {}])
})

const start = async () => {
  const listener = await openListener(database().connection, log)
  const counter = createCounter({ name: 'mended', help: '', labels: ['schema'] })
  const clock = { now: () => new Date('2026-02-10T12:00:00Z') }
  const job = await startKeepingTimes({ database: database(), listener, log, clock, announcedDays: 28, counter })
  return async () => {
    await job.close()
    await listener.close()
  }
}

const marked = async (): Promise<string[]> =>
  (await database().query<{ masjid_id: string }>(sql`select distinct masjid_id from outdated_times`)).map(
    row => row.masjid_id,
  )

test('a masjid whose rows cannot be stored is answered from the definition, and the others are kept', async () => {
  const [broken = '', fine = ''] = masjids
  await database().transaction(async transaction => {
    for (const statement of [
      'set transaction isolation level repeatable read',
      `create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
      `create trigger break before insert or update on announced_times for each row when (new.masjid_id = '${broken}')
         execute function break()`,
      `update pc_iqamah_schedules set label = 'New' where masjid_id = '${broken}'`,
      `update pc_iqamah_schedules set label = 'New' where masjid_id = '${fine}'`,
    ])
      await transaction.run(rawSql(statement))
  })
  assert.deepEqual((await marked()).toSorted(), masjids.toSorted())
  const stop = await start()
  try {
    await within(60_000, 'the other is kept', async () => !(await marked()).includes(fine))
    assert.deepEqual(await marked(), [broken])
    await readersGetTheDefinition(database())
    await database().run(sql`drop function break cascade`)
    await within(60_000, 'kept in the end', async () => (await marked()).length === 0)
  } finally {
    await stop()
  }
  await rowsAreTheDefinition(database())
})
