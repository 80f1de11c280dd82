// A stranger asks for the times of every masjid there is: all are answered, and only so many are stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { insertImported } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

const A_MINUTE = 3
const AT_A_TIME = 5
const MASJIDS = 8

const minaret = useMinaret({ ASKED_PER_MINUTE: String(A_MINUTE), ASKED_MASJIDS: String(AT_A_TIME) })

const stored = async (): Promise<number> =>
  (
    await minaret().service.database.first<{ count: number }>(sql`
      select count(*)::int as count from public.calculation_states where asked_on is not null`)
  )?.count ?? 0

/** The statement that notes them takes turns with itself: once it has run again, everything before it has been decided. */
const askForAll = async (slugs: readonly string[]): Promise<void> => {
  for (const slug of slugs) {
    const response = await fetch(`${minaret().baseUrl}/m/${slug}`)
    assert.equal(response.status, 200)
    assert.match(await response.text(), /<table class="day-times">/)
  }
}

const aMinutePasses = (): Promise<unknown> =>
  minaret().service.database.run(sql`
    update public.calculation_states set touched_at = touched_at - interval '2 minutes' where asked_on is not null`)

test('asking for all masjids stores a few a minute, and no more than there is room for', async () => {
  const { database } = minaret().service
  const slugs: string[] = []
  for (let count = 0; count < MASJIDS; count += 1) slugs.push((await insertImported(database)).slug)
  await askForAll(slugs)
  await within(30_000, 'some are stored', async () => (await stored()) === A_MINUTE)
  await askForAll(slugs)
  assert.equal(await stored(), A_MINUTE)
  await aMinutePasses()
  await within(60_000, 'the next are stored when they are asked for again', async () => {
    await askForAll(slugs)
    return (await stored()) === AT_A_TIME
  })
  await aMinutePasses()
  await askForAll(slugs)
  const all = await database.first<{ all: boolean }>(sql`
    select public.ask_for_days(array(select id from public.up_masjids where slug = any (${slugs})), current_date, ${A_MINUTE}, ${AT_A_TIME}) as all`)
  assert.equal(all?.all, false)
  assert.equal(await stored(), AT_A_TIME)
})

test('nobody but the owner decides it: readers and writers of the API may not call these functions', async () => {
  const allowed = await minaret().service.database.query<{ role: string; name: string }>(sql`
    select role.rolname as role, proc.proname as name
    from pg_roles role, pg_proc proc join pg_namespace space on space.oid = proc.pronamespace
    where role.rolname like 'minaret\_%' and space.nspname in ('public', 'sandbox')
      and proc.proname in ('times_on_demand', 'drop_days', 'store_days', 'ask_for_days', 'forget_asked_days', 'looked_after')
      and has_function_privilege(role.oid, proc.oid, 'execute')`)
  assert.deepEqual(allowed, [])
})
