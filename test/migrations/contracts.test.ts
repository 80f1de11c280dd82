// The check that keeps migrations from taking away what an earlier version uses.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { complaintsAbout, filledColumns, takenAway } from '../../scripts/migration-contracts.ts'

describe('a migration that takes something away is refused', () => {
  const refused: Readonly<Record<string, RegExp>> = {
    'drop table minaret.old_things': /drops a table/,
    'alter table up_events\n  drop column capacity': /drops a column/,
    'alter table up_events rename column title to name': /renames/,
    'alter table up_events rename to up_happenings': /renames/,
    'alter table up_events alter column capacity type bigint': /changes the type/,
    'drop function old_rule(uuid)': /drops the function old_rule/,
    'DROP VIEW up_things': /drops a table, view/,
  }
  for (const [text, expected] of Object.entries(refused))
    test(text.replaceAll(/\s+/g, ' '), () => assert.match(takenAway(text).join(), expected))
})

describe('a migration that only adds is not', () => {
  const accepted = [
    'create table up_things (id uuid)',
    'alter table up_events add column rooms integer',
    '-- We could drop column capacity here, but earlier versions read it.\nselect 1',
    'drop function rule(uuid); create function rule(uuid, text) returns void language sql as $$ $$',
    'drop policy one on up_events; create policy one on up_events using (true)',
    'drop index up_events_old',
    '-- contract: since 0.2.0 nothing reads this column\nalter table up_events drop column capacity',
  ]
  for (const text of accepted) test(text.split('\n').at(-1) ?? text, () => assert.deepEqual(takenAway(text), []))
})

test('a released migration is neither changed nor removed', () => {
  const text = 'alter table a drop column b'
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const released = { 'data/0001_a.sql': digest, 'data/0002_b.sql': digest }
  assert.deepEqual(complaintsAbout([{ name: 'data/0001_a.sql', text }], released), [
    'data/0002_b.sql was released, and is gone. Restore it.',
  ])
  const [complaint] = complaintsAbout([{ name: 'data/0001_a.sql', text: `${text};` }], { 'data/0001_a.sql': digest })
  assert.match(complaint ?? '', /has changed since/)
})

describe('a column with a value is added to an older table by add_filled_column', () => {
  const refused = [
    'alter table up_events add column rooms integer not null default 1',
    'alter table up_events\n  add column a text,\n  add column b boolean default false',
    'alter table up_events add total integer generated always as (1) stored',
    'alter table up_events add column number bigserial',
  ]
  for (const text of refused)
    test(text.replaceAll(/\s+/g, ' '), () => assert.deepEqual(filledColumns(text), ['up_events']))

  const accepted = [
    'alter table up_events add column rooms integer, alter column capacity set default 3',
    'alter table up_events add column rooms integer default null',
    'create table up_things (id uuid); alter table up_things add column rooms integer default 1',
    `select add_filled_column('up_events', 'rooms', 'integer', '1')`,
  ]
  for (const text of accepted) test(text, () => assert.deepEqual(filledColumns(text), []))

  test('and the check says so', () => {
    const text = 'alter table up_events add column rooms integer not null default 1'
    assert.match(complaintsAbout([{ name: 'data/0900_rooms.sql', text }], {}).join(), /Use add_filled_column/)
  })
})
