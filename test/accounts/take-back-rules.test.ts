// Every table that could give access to an account, or hear about it, says what becomes of it when the account is taken back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ar } from '../../src/site/texts/ar.ts'
import { en } from '../../src/site/texts/en.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
/** Tables of other test files that share the service. */
const ours = (name: string): boolean => !/_test_|up_notes|up_odd|plain_notes|up_secrets/.test(name)

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly refers: string | null
}

const columns = (): Promise<Column[]> =>
  database().query<Column>(sql`
    select home.nspname || '.' || class.relname as table, attname as name, format_type(atttypid, atttypmod) as type,
      (select other_home.nspname || '.' || other.relname from pg_constraint join pg_class other on other.oid = confrelid
          join pg_namespace other_home on other_home.oid = other.relnamespace
        where conrelid = class.oid and contype = 'f' and attnum = any (conkey) limit 1) as refers
    from pg_class class join pg_namespace home on home.oid = class.relnamespace
      join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
    where home.nspname in ('minaret', 'public') and class.relkind in ('r', 'p') and not class.relispartition
      and class.relname not like 'migrations\_%' and class.relname <> 'take_back_rules'`)

/** A user, an app, an address, a key or a secret, by what it refers to or by its name. */
const referring =
  /^minaret\.(users|apps|sessions|grants|webhook_endpoints|app_hosts|email_changes|take_backs)$|^public\.ua_members$/
const telling =
  /(^|_)(user|actor|owner|member|holder|grantee|app|client|endpoint|grant|key|kid|token|jwks|secret|email|recipient|address|uri|url|website|host|subject|credential)(_id|_ids|_hash|_uri|s)?$|session_id$|_by$|_hash$|_sealed$|^sealed$/
/** The name says it, and it is none: a row of data, a display name. */
const isOther = ({ table, name, type }: Column): boolean =>
  (name === 'holder' && type === 'bigint') ||
  ((name === 'replaced_by' || name === 'by_rule') && table.startsWith('public.pc_')) ||
  name === 'parameters_hash' ||
  name === 'content_hash' ||
  name === 'record_key' ||
  (['minaret.counts', 'public.known_words'].includes(table) && name === 'key')

const givesAccess = (column: Column): boolean =>
  !isOther(column) && (referring.test(column.refers ?? '') || telling.test(column.name))

const ruleTables = async (action?: string): Promise<string[]> => {
  const rows = await database().query<{ name: string }>(sql`
    select table_name as name from minaret.take_back_rules where action = coalesce(${action ?? null}, action) order by 1`)
  return rows.map(({ name }) => name)
}

const unruled = async (): Promise<string[]> => {
  const known = new Set(await ruleTables())
  return (await columns())
    .filter(column => givesAccess(column) && !known.has(column.table) && ours(column.table))
    .map(({ table, name }) => `${table}.${name}`)
}

test('every table that refers to a user, an app, an address, a key or a secret has a rule', async () => {
  assert.deepEqual(await unruled(), [])
})

test('the next table is noticed, by what it refers to and by its names', async () => {
  await database().run(
    sql`create table minaret.take_back_test_links (id int primary key, person uuid references minaret.users)`,
  )
  try {
    const known = new Set(await ruleTables())
    const found = (await columns()).filter(column => givesAccess(column) && !known.has(column.table))
    assert.ok(found.some(({ table, name }) => table.endsWith('take_back_test_links') && name === 'person'))
  } finally {
    await database().run(sql`drop table minaret.take_back_test_links`)
  }
})

test('every rule is about a table that exists, and its columns exist', async () => {
  const known = await columns()
  const rules = await database().query<{ table: string; names: string[] }>(sql`
    select table_name as table, array_remove(coalesce(key_columns, '{}') || watched || added_by || app
      || array(select jsonb_object_keys(coalesce(ending, '{}'))), null) as names from minaret.take_back_rules`)
  for (const { table, names } of rules) {
    const there = new Set(known.filter(column => column.table === table).map(({ name }) => name))
    assert.ok(there.size > 0, table)
    for (const name of names) assert.ok(there.has(name), `${table}.${name}`)
  }
})

test('what is suspended is recorded by triggers of the database, for each way of writing that counts', async () => {
  for (const table of await ruleTables('suspend')) {
    if (table.startsWith('public.')) continue
    const found = await database().query(sql`
      select from pg_trigger where tgrelid = ${table}::regclass and tgfoid = 'minaret.note_act'::regproc`)
    assert.ok(found.length > 0, table)
  }
  const [collecting] = await database().query<{ text: string }>(sql`
    select pg_get_functiondef('minaret.collect_acts_of'::regproc) as text`)
  for (const table of (await ruleTables('suspend')).filter(name => name.startsWith('public.')))
    assert.ok(collecting?.text.includes(table), table)
})

test('what ends is ended by the one function', async () => {
  const [ending] = await database().query<{ text: string }>(sql`
    select pg_get_functiondef('minaret.end_access'::regproc) as text`)
  /** By the link itself: its own token, and the change of address that it undoes. */
  const elsewhere = ['minaret.mail_tokens', 'minaret.email_changes']
  for (const table of (await ruleTables('end')).filter(name => !elsewhere.includes(name)))
    assert.ok(ending?.text.includes(table.replace('minaret.', '')), table)
})

test('every kind, and every value whose former ones are recorded, is worded in each language', async () => {
  const rules = await database().query<{ kind: string; watched: string[] }>(sql`
    select kind, watched from minaret.take_back_rules where action = 'suspend'`)
  /** Of these, it is only said that they were removed, or that they are another one. */
  const unsaid = ['withdrawn_at', 'revoked_at', 'expires_at', 'disabled_because', 'secret', 'confirmed_at', 'variables']
  for (const { takeBack } of [en, ar])
    for (const { kind, watched } of rules) {
      assert.ok(takeBack.kinds[kind], kind)
      for (const name of watched.filter(column => !unsaid.includes(column))) assert.ok(takeBack.columns[name], name)
    }
})
