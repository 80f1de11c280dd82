// Newer minor versions of PostgreSQL refuse a column with a default while a function uses the type of the table's rows. Ours are added
// all the same, to tables with rows and triggers too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withClient } from '../../src/db/with-client.ts'
import { createTestDatabase } from '../support/database.ts'

const table = `
  create table public.readings (id uuid primary key default gen_random_uuid(), label text not null);
  create function public.readings_shout(reading public.readings) returns text language sql stable
    begin atomic; select upper((reading).label); end;
  create function public.refuse_update() returns trigger language plpgsql as $$ begin raise exception 'told'; end $$;
  create trigger refuse_update before update on public.readings for each row execute function public.refuse_update();
  insert into public.readings (label) select 'reading ' || n from generate_series(1, 3) n`

test('a column that is never null is added to a filled table whose row type a function uses', async () => {
  const database = await createTestDatabase()
  try {
    await withClient(database.connection, async client => {
      await client.query(table)
      // Its triggers are not told, and tell of later changes.
      await client.query(`select public.add_filled_column('public.readings', 'weight', 'integer', '7')`)
      await client.query(`insert into public.readings (label) values ('a new one')`)
      const { rows } = await client.query('select distinct weight from public.readings')
      assert.deepEqual(rows, [{ weight: 7 }])
      await assert.rejects(client.query(`update public.readings set label = 'x'`), /told/)
      await assert.rejects(client.query('insert into public.readings (label, weight) values ($1, null)', ['x']), /null/)
      await client.query('drop trigger refuse_update on public.readings')
      await client.query(`select public.add_version('public.readings')`)
      await client.query(`update public.readings set label = 'changed' where label = 'a new one'`)
      const { rows: versions } = await client.query(
        'select version, count(*)::int from public.readings group by 1 order by 1',
      )
      assert.deepEqual(versions, [
        { version: '1', count: 3 },
        { version: '2', count: 1 },
      ])
    })
  } finally {
    await database.drop()
  }
})
