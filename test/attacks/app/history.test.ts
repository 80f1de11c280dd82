// A stranger asks for the history of rows: what was said before it was public, and what was taken away.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { identifier, rawSql, sql } from '../../../src/db/sql.ts'
import { useDatabase } from '../../data-model/use-database.ts'
import { actors, authority, fillWritingActors, masjids, rows } from '../../data-model/writing-actors.ts'
import { fixtureTemplate, masjidId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { openClient } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'

describe('history over HTTP', () => {
  const minaret = useMinaret({}, undefined, { template: fixtureTemplate })

  const ask = async (own: readonly string[], query: string): Promise<string> => {
    const { database } = minaret().service
    const app = await makeApp(database, { scopes: dataScopes, masjids: { only: '*', own } })
    const { key } = await makeKey(database, { appId: app.id, scopes: dataScopes })
    const client = openClient(minaret(), key)
    const { body, text } = await client.query({ query })
    client.close()
    assert.equal(body.errors, undefined, text)
    return text
  }

  test('what an announcement said before it was public is told to nobody else, nor a telephone number that was removed', async () => {
    const { database } = minaret().service
    const here = masjidId(1)
    const made = await database.first<{ id: string }>(sql`
      insert into public.up_announcements (masjid_id, texts, starts_at)
      values (${here}, '{"en": {"title": "The first wording"}}', now() + interval '1 day') returning id`)
    await database.run(sql`
      update public.up_announcements set texts = '{"en": {"title": "The final wording"}}' where id = ${made?.id}`)
    await database.run(
      sql`update public.up_announcements set starts_at = now() - interval '1 minute' where id = ${made?.id}`,
    )
    await database.run(sql`update public.up_masjids set phone = '+1 919 555 0100' where id = ${here}`)
    await database.run(sql`update public.up_masjids set phone = null where id = ${here}`)
    const query = `{ up_announcements_by_pk(id: "${made?.id}") { texts history } up_masjids_by_pk(id: "${here}") { name history } }`
    const told = await ask([], query)
    assert.match(told, /The final wording/)
    assert.doesNotMatch(told, /The first wording|555 0100/)
    const full = await ask([here], query)
    assert.match(full, /The first wording/)
    assert.match(full, /555 0100/)
  })
})

describe('history in the database', () => {
  const model = useDatabase(fillWritingActors)
  const full = ['the own app', 'an app given all as its own', 'board', 'admin', 'service']

  interface Shown {
    readonly table: string
    readonly isPublic: boolean
  }
  /** Whatever shows its history, tables of tomorrow included. */
  const shown = (): Promise<Shown[]> =>
    model().owner.query<Shown>(sql`
      select typrelid::regclass::text as table, obj_description(typrelid, 'pg_class') ~ '(^|\n)@history public' as "isPublic"
      from pg_proc join pg_type on pg_type.oid = proargtypes[0]
      where pronamespace = 'public'::regnamespace and obj_description(pg_proc.oid, 'pg_proc') ~ '^@computed history\n'`)

  const note = (table: string, id: string | undefined, values: object): Promise<unknown> =>
    model().owner.run(sql`
      insert into written_rows (table_name, record_key, masjid_id, kind, changed_columns, old_values, new_values, authority, database_user)
      values (${table}, ${id}, ${masjids.a}, 'update', ${Object.keys(values)}, ${JSON.stringify(values)}::jsonb, '{}', 'database', 'x')`)

  const historyAs = async (who: string, table: string, id: string | undefined): Promise<string> => {
    const rows = await model().asking<{ history: string }>(
      actors[who] ?? {},
      sql`select ${identifier('public', `${table}_history`)}(row_, 100)::text as history from ${identifier('public', table)} row_ where id = ${id}`,
    )
    return rows[0]?.history ?? 'no row'
  }

  test('of every table that shows its history, only those who see the masjid in full see it, unless its comment says otherwise', async () => {
    const { owner } = model()
    await owner.run(sql`
      insert into pc_timetables (masjid_id, kind, name, layer, first_date, last_date, entry_count)
      values (${masjids.a}, 'days', 'x', 1, '2030-01-01', '2030-01-02', 1)`)
    await owner.run(sql`insert into up_entities (legal_name, country, kind) values ('x', 'US', 'trust')`)
    const tables = await shown()
    assert.ok(tables.length >= 16)
    for (const { table, isPublic } of tables) {
      const mine = [...Object.values(rows.a), masjids.a, authority]
      const row = await owner.first<{ id: string }>(
        sql`select id from ${identifier('public', table)} order by id = any (${mine}::uuid[]) desc limit 1`,
      )
      assert.ok(row, `${table}: this test needs a row of it`)
      await note(table, row?.id, { anything: 'what it said' })
      const everything = ['up_entities', 'pc_hijri_authorities'].includes(table)
        ? ['an app given all as its own', 'service']
        : full
      for (const who of Object.keys(actors)) {
        // The credentials of a disabled account are refused before anything is read.
        if (who === 'disabled') continue
        const history = await historyAs(who, table, row?.id)
        const told = isPublic || everything.includes(who)
        assert.equal(history.includes('what it said'), told, `${table}, ${who}: ${history}`)
        if (!told) assert.equal(history, '[]', `${table}, ${who}`)
      }
    }
  })

  test('public are few, none of them about people, and each names who can be reached or recognised', async () => {
    const tables = (await shown()).filter(({ isPublic }) => isPublic).map(({ table }) => table)
    assert.deepEqual(tables.toSorted(), ['pc_hijri_months', 'pc_iqamah_schedules', 'up_event_occurrences'])
    const forgotten = await model().owner.query(sql`
      select attrelid::regclass, attname from pg_attribute
      where attrelid = any (${tables}::regclass[]) and attnum > 0 and not attisdropped
        and attname ~ 'phone|mail|url|website|contact|address|name|imam|description|text'
        and not has_annotation(col_description(attrelid, attnum), 'contact')`)
    assert.deepEqual(forgotten, [])
  })

  test('a public history leaves out contact columns, and what the row said while planned, hidden or deleted', async () => {
    const { owner } = model()
    await owner.run(
      rawSql(`create table public.up_notes (id uuid primary key default gen_random_uuid(), masjid_id uuid references up_masjids,
          words text, phone text, is_hidden boolean not null default false, starts_at timestamptz not null default '-infinity',
          deleted_at timestamptz);
        comment on table public.up_notes is E'@history public is_note_for_all\\n@scope masjid:read\\n@writable\\n@soft_delete deleted_at\\n@capability events\\nNotes.';
        comment on column public.up_notes.phone is E'@contact\\nWhom to call.';
        create function public.is_note_for_all(note public.up_notes, moment timestamptz) returns boolean language sql immutable
          begin atomic; select not note.is_hidden and note.starts_at <= moment; end;`),
    )
    await owner.run(sql`select public.watch_writes('public.up_notes'), public.show_history('public.up_notes')`)
    const made = await owner.first<{ id: string }>(sql`
      insert into up_notes (masjid_id, words, phone, starts_at) values (${masjids.a}, 'planned 1', '5550', now() + interval '1 day') returning id`)
    const set = (assignments: string): Promise<unknown> =>
      owner.run(rawSql(`update up_notes set ${assignments} where id = '${made?.id}'`))
    const written = [
      `words = 'planned 2'`,
      `words = 'public 1', starts_at = now()`,
      `words = 'public 2', phone = '5551'`,
      `phone = '5552'`,
      `words = 'hidden 1', is_hidden = true`,
      `words = 'hidden 2'`,
      `words = 'public 3', is_hidden = false`,
      `words = 'deleted 1', deleted_at = now()`,
      `words = 'deleted 2'`,
      `words = 'public 4', deleted_at = null`,
      `words = 'planned 3', starts_at = now() + interval '1 day'`,
    ]
    for (const assignments of written) await set(assignments)
    const history = await historyAs('nobody', 'up_notes', made?.id)
    assert.doesNotMatch(history, /planned|hidden \d|deleted \d|555|phone/)
    for (const words of ['public 1', 'public 2', 'public 3', 'public 4']) assert.match(history, new RegExp(words))
    assert.match(await historyAs('board', 'up_notes', made?.id), /planned 1.*|phone/)
    const few = await model().asking<{ count: number }>(
      {},
      sql`select jsonb_array_length(up_notes_history(n, 2)) as count from up_notes n`,
    )
    assert.deepEqual(few, [{ count: 2 }])
  })

  test('a table with rows that are not for everybody cannot open its history without saying which', async () => {
    const { owner } = model()
    for (const table of ['up_announcements', 'ua_members', 'up_event_rsvps']) {
      const opened = owner.transaction(async transaction => {
        await transaction.run(sql`select annotate_table(${table}, '@history public')`)
        await transaction.run(sql`select show_history(${table})`)
      })
      await assert.rejects(opened, /cannot be public/)
    }
  })
})
