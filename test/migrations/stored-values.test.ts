// Values stored before a rule existed: the migration that adds the rule fixes them, and never fails because of them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { identifier, sql } from '../../src/db/sql.ts'
import { makePendingApp, makeUser } from '../support/apps.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const run = async (statements: string): Promise<void> => {
  const client = new pg.Client(minaret().databaseUrl)
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

const migration = (file: string): string => readFileSync(new URL(`../../migrations/${file}`, import.meta.url), 'utf8')

test('hostile URLs and names of apps and people are removed or cleaned', async () => {
  const { id } = await makeUser(database(), { hashed: false })
  const appId = await makePendingApp(database(), { ownerId: id })
  await run(`
    drop function minaret.is_web_address cascade;
    drop function minaret.is_plain_line cascade;
    update minaret.users set picture = 'data:text/html,x#', name = E'Amina\\u202e\\nRahman' where id = '${id}';
    update minaret.apps set home_page = 'javascript://example.org/%0aalert(1)#', logo = 'https://example.org/logo.png',
      name = E'\\u202e' where id = '${appId}';
    insert into minaret.app_changes (app_id, proposed, requested_by)
      values ('${appId}', '{"homePage": "https://accounts.example@evil.test/#"}', '${id}');
    set search_path = minaret, extensions;
    ${migration('identity/0066_plain_values.sql')}`)
  const [user] = await database().query(sql`select picture, name from minaret.users where id = ${id}`)
  assert.deepEqual(user, { picture: null, name: 'Amina Rahman' })
  const [app] = await database().query(sql`select home_page, logo, name from minaret.apps where id = ${appId}`)
  assert.deepEqual(app, { home_page: null, logo: 'https://example.org/logo.png', name: '?' })
  const [change] = await database().query(sql`select state from minaret.app_changes where app_id = ${appId}`)
  assert.deepEqual(change, { state: 'withdrawn' })
})

test('websites are fixed where possible, otherwise removed; an online event keeps its address', async () => {
  const loose = `create or replace function public.is_web_address(address text) returns boolean language sql immutable as 'select true';`
  await run(loose)
  const [plain, odd] = [await insertMasjid(database()), await insertMasjid(database())]
  const [online, lost] = [await insertEvent(database(), plain), await insertEvent(database(), plain)]
  await run(`
    update up_masjids set website = 'http://user@masjid.example.org/a b' where id = '${plain}';
    update up_masjids set website = 'javascript:alert(1)' where id = '${odd}';
    update up_events set mode = 'online', online_url = 'http://meet.example.org/x' where id = '${online}';
    update up_events set mode = 'online', online_url = 'mailto:x' where id = '${lost}';
    set search_path = public, extensions;
    ${migration('data/0165_web_addresses.sql')}`)
  const of = async (table: string, column: string, id: string) => {
    const [row] = await database().query<{ value: unknown }>(
      sql`select ${identifier(column)} as value from ${identifier('public', table)} where id = ${id}`,
    )
    return row?.value
  }
  assert.equal(await of('up_masjids', 'website', plain), 'https://masjid.example.org/ab')
  assert.equal(await of('up_masjids', 'website', odd), null)
  assert.equal(await of('up_events', 'online_url', online), 'https://meet.example.org/x')
  assert.equal(await of('up_events', 'online_url', lost), 'mailto:x')
})

test('masjids far north and south without a rule keep the one they had, by its name, and are asked', async () => {
  const at = (latitude: number, method = 'MuslimWorldLeague') =>
    insertMasjid(database(), { latitude, calculation_method: method })
  const masjids = [
    await at(51.5),
    await at(-54.8),
    await at(48),
    await at(60, 'MoonsightingCommittee'),
    await at(55),
    await at(55),
  ]
  const [, , , , chosen, deleted] = masjids
  await run(`
    update up_masjids set high_latitude_rule = 'twilight_angle' where id = '${chosen}';
    update up_masjids set deleted_at = now() where id = '${deleted}';
    alter table up_masjids drop column high_latitude_rule_to_confirm cascade;
    drop trigger answer_rule_question on up_masjids;
    drop function answer_rule_question;
    set search_path = public, extensions;
    ${migration('data/0521_rules_to_confirm.sql')}`)
  const rows = await database().query<{ id: string; rule: string; asked: boolean }>(sql`
    select id, high_latitude_rule as rule, high_latitude_rule_to_confirm as asked from public.up_masjids
    where id = any (${masjids}::uuid[])`)
  const found = masjids.map(id => rows.find(row => row.id === id)).map(row => [row?.rule, row?.asked])
  assert.deepEqual(found, [
    ['seventh_of_the_night', true],
    ['seventh_of_the_night', true],
    [null, false],
    ['seventh_of_the_night', false],
    ['twilight_angle', false],
    ['seventh_of_the_night', false],
  ])
})
