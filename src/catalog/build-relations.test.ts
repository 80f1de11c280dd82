import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRelations, type TableOutline } from './build-relations.ts'
import type { RawForeignKey, RawRelation, RawUniqueKey } from './raw-catalog.ts'

interface Sketch {
  readonly keys?: readonly Partial<RawForeignKey>[]
  readonly unique?: readonly string[]
  readonly taken?: readonly string[]
  readonly comment?: string
}

const numbers: Record<string, number> = { up_masjids: 1, up_events: 2, up_notes: 3 }

const outline = (name: string, { keys = [], unique = [], taken = [], comment }: Sketch = {}): TableOutline => {
  const uniqueKeys: RawUniqueKey[] = unique.map(column => ({ oid: 9, name: column, primary: false, columns: [column] }))
  const foreignKeys = keys.map((key, index) => ({
    oid: 100 + index,
    name: 'k',
    comment: null,
    target: 1,
    validated: true,
    columns: [],
    targetColumns: ['id'],
    ...key,
  }))
  const columns = ['id', 'masjid_id'].map(column => ({ name: column, comment: null, notNull: false }))
  const raw = { oid: numbers[name] ?? 9, name, comment: comment ?? null, columns, uniqueKeys, foreignKeys }
  return { raw: raw as unknown as RawRelation, name, taken: new Map(taken.map(field => [field, 0])), mayHide: false }
}

const namesOf = (tables: readonly TableOutline[], table: string): string[] =>
  [...(buildRelations(tables).relations.get(table)?.values() ?? [])].map(({ name, kind }) => `${kind} ${name}`)

test('masjid_id gives masjid; the other side is the table without its prefix', () => {
  const tables = [outline('up_masjids'), outline('up_events', { keys: [{ columns: ['masjid_id'] }] })]
  assert.deepEqual(namesOf(tables, 'up_events'), ['object masjid'])
  assert.deepEqual(namesOf(tables, 'up_masjids'), ['array events'])
})

test('comments name both sides', () => {
  const key = { columns: ['masjid_id'], comment: '@object host\n@array hosted\nWho holds it.' }
  const tables = [outline('up_masjids'), outline('up_events', { keys: [key] })]
  assert.deepEqual([...namesOf(tables, 'up_events'), ...namesOf(tables, 'up_masjids')], ['object host', 'array hosted'])
})

test('a unique key on the other side means one row, not many', () => {
  const tables = [
    outline('up_masjids'),
    outline('up_notes', { keys: [{ columns: ['masjid_id'] }], unique: ['masjid_id'] }),
  ]
  assert.deepEqual(namesOf(tables, 'up_masjids'), ['object notes'])
})

test('a second key between the same tables is named after its columns', () => {
  const tables = [
    outline('up_masjids'),
    outline('up_events', { keys: [{ columns: ['host_id'] }, { columns: ['guest_id'] }] }),
  ]
  assert.deepEqual(namesOf(tables, 'up_events'), ['object host', 'object guest'])
  assert.deepEqual(namesOf(tables, 'up_masjids'), ['array events', 'array events_by_guest_id'])
})

test('the older of two keys has the plain name, whatever their names and order', () => {
  const older = { columns: ['room_id'], oid: 20, name: 'z' }
  const younger = { columns: ['backup_id'], oid: 21, name: 'a' }
  for (const keys of [
    [older, younger],
    [younger, older],
  ]) {
    const tables = [outline('up_masjids'), outline('up_events', { keys })]
    const events = buildRelations(tables).relations.get('up_masjids')
    assert.deepEqual(events?.get('events')?.join, [['id', 'room_id']])
    assert.deepEqual(events?.get('events_by_backup_id')?.join, [['id', 'backup_id']])
  }
})

test('an added key takes no name from the other side of an older one', () => {
  const back = { columns: ['masjid_id'], oid: 20 }
  const forth = { columns: ['events_id'], oid: 21, target: 3 }
  const tables = [outline('up_masjids', { keys: [forth] }), outline('up_events', { keys: [back] }), outline('up_notes')]
  assert.deepEqual(namesOf(tables, 'up_masjids'), ['object events_by_events_id', 'array events'])
})

test('the name of a column is not used again', () => {
  const tables = [
    outline('up_masjids'),
    outline('up_events', { keys: [{ columns: ['owner'] }], taken: ['masjid', 'owner'] }),
  ]
  assert.deepEqual(namesOf(tables, 'up_events'), ['object owner_masjids'])
})

test('a view says in its comment what it refers to', () => {
  const comment = '@foreign_key (masjid_id) references up_masjids (id)\nTimes.'
  const tables = [outline('up_masjids'), outline('up_notes', { comment })]
  assert.deepEqual(namesOf(tables, 'up_notes'), ['object masjid'])
  assert.deepEqual(namesOf([outline('up_notes', { comment })], 'up_notes'), [])
})
