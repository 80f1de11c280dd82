import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifier, joinSql, type Sql, sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'

const user = '40000000-0000-4000-8000-000000000001'

/** 200 masjids of 10 members with 10 gifts each; the user gave at one masjid, and is on the board of another. */
const model = useDatabase(async owner => {
  await owner.run(sql`
    insert into up_masjids (slug, name, city, latitude, longitude, address, country, timezone)
    select 'm-' || number, 'm', 'x', number % 90, number * 37 % 180, 'x', 'US', 'UTC' from generate_series(1, 200) number`)
  await owner.run(sql`
    insert into ua_members (masjid_id, given_name, consent_api_sharing, consent_at)
    select id, 'm', number % 2 = 0, now() from up_masjids, generate_series(1, 10) number`)
  await owner.run(sql`
    insert into ua_donations (masjid_id, member_id, amount_minor, currency, method, status, received_at)
    select masjid_id, id, 100, 'USD', 'cash', 'succeeded', now() - random() * interval '400 days'
    from ua_members, generate_series(1, 10)`)
  for (const [slug, role] of [
    ['m-1', 'member'],
    ['m-2', 'board'],
  ]) {
    await owner.run(sql`
      update ua_members set user_id = ${user}, role = ${role}::ua_member_role where id = (
        select min(member.id::text)::uuid from ua_members member join up_masjids masjid on masjid.id = masjid_id
        where slug = ${slug})`)
  }
  await owner.run(sql`analyze`)
})

const settings = { user_id: user }
const planOf = async (statement: Sql, who: Record<string, string> = settings) => {
  const lines = await model().read<{ 'QUERY PLAN': string }>(who, sql`explain (analyze, timing off) ${statement}`)
  return lines.map(line => line['QUERY PLAN']).join('\n')
}

/** The predicate in a table's comment that describes what a user sees. */
const userRows = async (table: string): Promise<Sql> => {
  const row = await model().owner.first<{ promise: string }>(sql`
    select (regexp_match(obj_description(${`public.${table}`}::regclass, 'pg_class'), '@user_rows ([^\n]+)'))[1] as promise`)
  const arms = (row?.promise ?? '').split(', ').map(pair => {
    const [column = '', name = ''] = pair.split(' ')
    return sql`${identifier(column)} = any ((select ${identifier(name)}())::uuid[])`
  })
  return sql`(${joinSql(arms, ' or ')})`
}

test('visible rows are found through indexes, not by filtering the whole table', async () => {
  for (const table of ['ua_donations', 'ua_members']) {
    const plan = await planOf(sql`select id from ${identifier('public', table)}`)
    assert.match(plan, /BitmapOr/, plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  }
})

test('the caller is determined once per statement, whatever it reads', async () => {
  const plan = await planOf(sql`select count(*) from public.ua_donations`, { masjids: '*' })
  const initial = [...plan.matchAll(/InitPlan \d+\n\s+->.*loops=(\d+)/g)].map(([, loops]) => loops)
  assert.ok(initial.length >= 5, plan)
  assert.deepEqual(new Set(initial), new Set(['1']))
  assert.doesNotMatch(plan, /Filter:.*(masjids_in_full|asking_user|current_setting)\(/)
})

test('the predicate in a table’s comment matches what its policy shows to a user', async () => {
  const tables = [
    'ua_members',
    'ua_households',
    'ua_donations',
    'ua_recurring_donations',
    'ua_campaigns',
    'up_event_rsvps',
  ]
  for (const table of tables) {
    const name = identifier('public', table)
    const promised = await userRows(table)
    const byPolicy = await model().read(settings, sql`select id from ${name} order by id`)
    assert.deepEqual(
      await model().owner.transaction(async transaction => {
        await transaction.run(sql`select set_config('minaret.user_id', ${user}, true)`)
        return transaction.query(sql`select id from ${name} where ${promised} order by id`)
      }),
      byPolicy,
      table,
    )
  }
  assert.equal((await model().read(settings, sql`select id from public.ua_donations`)).length, 110)
})

test('with that predicate repeated, a user’s newest gifts are found without scanning everyone’s', async () => {
  const newest = sql`select id from public.ua_donations where ${await userRows('ua_donations')} order by received_at desc limit 5`
  const plan = await planOf(newest)
  assert.match(plan, /BitmapOr/, plan)
  assert.doesNotMatch(plan, /received_at_id_idx/, plan)
})
