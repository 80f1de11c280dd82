import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { within } from '../../test/support/oauth.ts'
import { openStructures, type Structures } from '../../test/support/open-structures.ts'
import { passingBy } from '../../test/support/passing-by.ts'
import type { Database } from '../db/database.ts'
import { rawSql, sql } from '../db/sql.ts'
import type { Model } from './model.ts'

let structures: Structures
let database: Database

const parts = {
  'the catalogue': /One schema \(the first parameter\) as one JSON/,
  'what is logged': /changes\.traced_tables/,
  'the audit trail': /has_write_notes/,
}
const everything = Object.keys(parts)

interface Started {
  readonly model: Model
  readonly version: string
  /** What it read, or saw to, itself. */
  readonly itself: readonly string[]
}

/** A process starts, and ends. */
const start = async (): Promise<Started> => {
  const asked: string[] = []
  const noted = passingBy(database, (text, run) => {
    asked.push(text)
    return run()
  })
  const watch = await structures.watch((model, version) => ({ model, version }), noted)
  watch.close()
  const itself = everything.filter(part => asked.some(text => parts[part as keyof typeof parts].test(text)))
  return { ...watch.current(), itself }
}

const run = (text: string): Promise<unknown> => database.run(rawSql(text))

before(async () => {
  structures = await openStructures()
  database = structures.database
})
after(() => structures.close())
beforeEach(async () => {
  // The first one may have to correct rights and triggers, and keeps no copy then.
  await start()
  await start()
})

test('a process that starts takes what another has read, and has the same structure', async () => {
  await run('delete from minaret.structure_copies')
  const first = await start()
  assert.deepEqual(first.itself, everything)
  const second = await start()
  assert.deepEqual(second.itself, [])
  assert.equal(second.version, first.version)
  assert.deepEqual(second.model, first.model)
})

describe('a process that starts reads everything itself', () => {
  const after = async (change: string): Promise<Started> => {
    assert.deepEqual((await start()).itself, [], 'before')
    await run(change)
    const started = await start()
    assert.deepEqual(started.itself, everything)
    return started
  }

  test('after a table was added', async () => {
    const { model } = await after('create table public.up_new (id int primary key)')
    assert.ok(model.tables.has('up_new'))
    await run('drop table public.up_new')
  })

  test('after a right was taken away, and restores it', async () => {
    await after('revoke select on public.up_masjids from minaret_reader')
    const rights = await database.first<{ may: boolean }>(
      sql`select has_table_privilege('minaret_reader', 'public.up_masjids', 'select') as may`,
    )
    assert.equal(rights?.may, true)
  })

  test('after the trigger that notes what is written was dropped, and creates it again', async () => {
    await after('drop trigger note_writing on public.up_events')
    const trigger = await database.first(
      sql`select from pg_trigger where tgrelid = 'public.up_events'::regclass and tgname = 'note_writing'`,
    )
    assert.notEqual(trigger, undefined)
  })

  test('after a trigger of the change log was disabled, and knows that the table is not logged', async () => {
    const { model } = await after('alter table public.up_events disable trigger changes_update')
    assert.equal(model.tables.get('up_events')?.logged, false)
    await run('alter table public.up_events enable always trigger changes_update')
    await start()
    assert.equal((await start()).model.tables.get('up_events')?.logged, true)
  })

  test('after event triggers were disabled, without which rows are logged all the same', async () => {
    const { model } = await after('alter event trigger minaret_changes disable')
    assert.equal(model.tables.get('up_events')?.logged, true)
    await run('alter event trigger minaret_changes enable always')
  })

  test('after an hour, as statistics change without a mark', async () => {
    await after(`update minaret.structure_copies set kept_at = now() - interval '61 minutes'`)
    assert.deepEqual((await start()).itself, [], 'its copy is kept instead')
  })

  test('if another version of the service kept the copy', async () => {
    await after(`update minaret.structure_copies set mark = 'other' || mark`)
  })

  test('if the copies are gone, or cannot be kept', async () => {
    await after('delete from minaret.structure_copies')
    await run(`delete from minaret.structure_copies;
      alter table minaret.structure_copies add constraint never check (mark = '')`)
    for (const time of ['first', 'second']) {
      const { itself, model } = await start()
      assert.deepEqual(itself, everything, time)
      assert.ok(model.tables.has('up_events'))
    }
    await run('alter table minaret.structure_copies drop constraint never')
  })
})

test('no copy is kept while a table is refused: whoever starts has to find that out again', async () => {
  await run(`drop trigger note_writing on public.up_events;
    alter function public.watch_writes(regclass) rename to watch_all;
    create function public.watch_writes(target regclass) returns boolean language plpgsql as $$
    begin
      if target = 'public.up_events'::regclass then raise 'refused'; end if;
      return public.watch_all(target);
    end $$`)
  for (const time of ['first', 'second']) {
    const { itself, model } = await start()
    assert.deepEqual(itself, everything, time)
    assert.equal(model.tables.get('up_events')?.writing, undefined, time)
  }
  await run(`drop function public.watch_writes(regclass);
    alter function public.watch_all(regclass) rename to watch_writes`)
  assert.notEqual((await start()).model.tables.get('up_events')?.writing, undefined)
})

test('what changes while a copy is taken is not missed: the process hears of it', async () => {
  const { model } = await start()
  assert.ok(!model.tables.has('up_meanwhile'))
  let isFirst = true
  const disturbed = passingBy(database, async (_text, run, method) => {
    const answer = await run()
    if (isFirst && method === 'first') {
      isFirst = false
      await structures.database.run(rawSql('create table public.up_meanwhile (id int primary key)'))
    }
    return answer
  })
  const watch = await structures.watch(({ tables }) => tables, disturbed)
  await within(25_000, 'the table is there', () => watch.current().has('up_meanwhile'))
  watch.close()
  await run('drop table public.up_meanwhile')
})
