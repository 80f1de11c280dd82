// Names with characters that are not seen: they turn the text around them, or look like the name of somebody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeApp, makeKey, makeUser, PASSWORD } from '../../support/apps.ts'
import { insertEvent } from '../../support/events.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const refused = ['\u202e', '\u202a', '\u2066', '\u2069', '\u200b', '\u2060', '\ufeff', '\u2028', '\u0007']
/** Persian and Bengali words, a family of emoji, and a mark that is ordinary between Arabic and digits. */
const kept = ['می\u200cخواهم', 'র\u200d্যাব', '👨\u200d👩\u200d👧', 'مسجد 12\u200f']

/** Every column whose text others read as the name of something. Whatever is added has to be decided about. */
const names = /^(name|name_ar|title|label|imam|city|\w+_name|\w+_place)$/

/** Not typed by anybody who could mislead with it. */
const exceptions: Readonly<Record<string, string>> = {
  'public.announced_times.imam': 'copied from rules, which are guarded',
  'public.announced_times.label': 'copied from rules, which are guarded',
  'public.country_names.name': 'folded by the search, from the runtime',
  'public.imported_rows.name': 'folded by the search; never shown',
  'public.masjid_terms.city': 'folded by the search; never shown',
  'public.masjid_words.city': 'folded by the search; never shown',
  'public.pc_hijri_authorities.name': 'written by migrations alone',
  'public.timetable_drafts.name': 'seen only by those who made the draft; checked when it is published',
  'public.ua_households.city': 'part of an address that only its household and staff see',
}

test('every name in the database refuses what is not seen', async () => {
  const rows = await database().query<{ column: string; name: string; guarded: boolean }>(sql`
    select relation.relnamespace::regnamespace || '.' || relation.relname || '.' || attname as "column", attname as name,
      exists (select from pg_constraint rule where rule.conrelid = relation.oid and rule.contype = 'c'
        and attnum = any (rule.conkey) and pg_get_constraintdef(rule.oid) ~ 'is_plain_line') as guarded
    from pg_attribute join pg_class relation on relation.oid = attrelid
    where relation.relkind in ('r', 'p') and not relation.relispartition and attnum > 0 and not attisdropped
      and atttypid = 'text'::regtype and relnamespace in ('minaret'::regnamespace, 'public'::regnamespace)`)
  const open = rows
    .filter(({ name, guarded }) => names.test(name) && !guarded && name !== 'table_name')
    .map(({ column }) => column)
  assert.deepEqual(open.toSorted(), Object.keys(exceptions).toSorted())
  assert.ok(rows.filter(({ guarded }) => guarded).length >= 25)
})

test('the rule in the database is the one of the pages: joiners stay, the others go', async () => {
  for (const character of refused) {
    const [row] = await database().query<{ one: boolean; other: boolean }>(sql`
      select minaret.is_plain_line(${`a${character}b`}) as one, public.is_plain_line(${`a${character}b`}) as other`)
    assert.deepEqual(row, { one: false, other: false }, JSON.stringify(character))
  }
  for (const name of kept) {
    const [row] = await database().query<{ one: boolean; other: boolean }>(sql`
      select minaret.is_plain_line(${name}) as one, public.is_plain_line(${name}) as other`)
    assert.deepEqual(row, { one: true, other: true }, name)
  }
})

test('one’s own name', async () => {
  const user = await makeUser(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  const save = (name: string) => person.submit('/account', '/account/profile', { name, language: 'en' })
  for (const character of refused)
    assert.equal((await save(`Ami${character}na`)).status, 422, JSON.stringify(character))
  for (const name of kept) assert.equal((await save(name)).location, '/account?done=saved', name)
})

test('the name of a passkey: they are left out, and lines become one', async () => {
  const user = await makeUser(database())
  const person = createPerson(minaret().baseUrl)
  await person.signIn(user.email, PASSWORD)
  const row = await database().first<{ id: string }>(sql`
    insert into minaret.passkeys (user_id, credential_id, public_key, backed_up, name, transports)
    values (${user.id}, gen_random_uuid()::text, '\\x01ff', true, 'Phone', '{internal}') returning id`)
  const path = `/account/security/passkeys/${row?.id}`
  for (const character of [...refused, '\n', '\t', '\r\n']) {
    const answer = await person.submit(path, `${path}/name`, { name: `Old${character}phone` })
    assert.equal(answer.location, '/account/security?done=passkey_named', JSON.stringify(character))
  }
})

test('the names of apps and keys', async () => {
  for (const character of refused) {
    const name = `Sal${character}ah`
    await assert.rejects(makeApp(database(), { name }), JSON.stringify(character))
    const app = await makeApp(database())
    await assert.rejects(
      database().run(sql`
        insert into minaret.api_keys (app_id, name, hint, key_hash, environment, scopes)
        values (${app.id}, ${name}, 'x', ${Buffer.alloc(32)}, 'live', '{masjid:read}')`),
      JSON.stringify(character),
    )
  }
  const app = await makeApp(database(), { name: kept[2] ?? '' })
  assert.ok((await makeKey(database(), { appId: app.id })).key)
})

test('masjids and events', async () => {
  const masjidId = await insertMasjid(database())
  const eventId = await insertEvent(database(), masjidId)
  for (const character of refused) {
    const name = `Al-${character}Noor`
    for (const statement of [
      sql`update up_masjids set name = ${name} where id = ${masjidId}`,
      sql`update up_masjids set name_ar = ${name} where id = ${masjidId}`,
      sql`update up_events set title = ${name} where id = ${eventId}`,
    ])
      await assert.rejects(database().run(statement), { code: '23514' }, JSON.stringify(character))
  }
  for (const name of kept) await database().run(sql`update up_masjids set name = ${name} where id = ${masjidId}`)
})
