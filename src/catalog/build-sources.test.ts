import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSources, unknownReads } from './build-sources.ts'
import type { RawCatalog, RawFunction, RawMade, RawRelation } from './raw-catalog.ts'

const table = (oid: number, name: string, more: Partial<RawRelation> = {}): RawRelation =>
  ({
    oid,
    name,
    kind: 'r',
    rowSecurity: false,
    logged: true,
    made: null,
    comment: null,
    columns: [],
    ...more,
  }) as RawRelation

const view = (oid: number, name: string, made: Partial<RawMade>): RawRelation =>
  table(oid, name, { kind: 'v', logged: false, made: { relations: [1], functions: [], timely: false, ...made } })

const called = (name: string, more: object = {}) => ({ name, system: true, immutable: false, comment: null, ...more })

const one = (name: string, more: Partial<RawFunction> = {}): RawFunction =>
  ({ name, immutable: false, constantDefaults: true, definer: false, comment: null, ...more }) as RawFunction

const relations = [
  table(1, 'up_a'),
  table(2, 'up_unlogged', { logged: false }),
  table(3, 'up_people', { comment: '@personal\nPeople.' }),
  table(4, 'up_secured', { rowSecurity: true }),
  table(5, 'up_exact', { columns: [{ comment: '@exact up_places id place' }] as unknown as RawRelation['columns'] }),
  view(10, 'plain', {}),
  view(11, 'over_unlogged', { relations: [1, 2] }),
  view(12, 'elsewhere', { relations: [99] }),
  view(13, 'by_the_clock', { functions: [called('now')] }),
  view(14, 'as_json', { functions: [called('to_jsonb'), called('lower', { immutable: true })] }),
  view(15, 'timely', { timely: true }),
  view(16, 'declared', { functions: [called('resolve', { system: false, comment: '@reads up_a' })] }),
  view(17, 'opaque', { functions: [called('to_jsonb', { system: false })] }),
]

const sourcesOf = (functions: readonly RawFunction[]) =>
  buildSources({ relations, functions } as unknown as RawCatalog, 'public')

test('a view is made of its tables, if nothing in it follows the clock or is unknown', () => {
  assert.deepEqual(
    [...sourcesOf([]).relations],
    [
      ['up_a', ['public.up_a']],
      ['plain', ['public.up_a']],
      ['as_json', ['public.up_a']],
      ['declared', ['public.up_a']],
    ],
  )
})

test('a function is known if it is IMMUTABLE, or declares what it reads', () => {
  const { functions } = sourcesOf([
    one('immutable', { immutable: true }),
    one('stable'),
    one('nothing', { comment: '@reads' }),
    one('reads', { comment: '@reads up_a, plain\nWords.' }),
    one('unlogged', { comment: '@reads up_a up_unlogged' }),
    one('missing', { comment: '@reads up_missing' }),
    one('definer', { comment: '@reads up_a', definer: true }),
    one('of_today', { immutable: true, constantDefaults: false }),
  ])
  assert.deepEqual(
    [...functions],
    [
      ['immutable', []],
      ['nothing', []],
      ['reads', ['public.up_a']],
    ],
  )
})

test('an annotation that names no table is reported', () => {
  const functions = [one('missing', { comment: '@reads up_a, up_missing' })]
  assert.deepEqual(unknownReads({ relations, functions } as unknown as RawCatalog), [
    'the annotation @reads of function "missing": there is no table up_missing',
  ])
})

test('rows of a table belong to the masjid that its column names; a view says so itself', () => {
  const column = (name: string, type = 2950) => [{ name, type, comment: null }] as unknown as RawRelation['columns']
  const placed = [
    table(1, 'up_masjids', { columns: column('id') }),
    table(2, 'up_events', { columns: column('masjid_id') }),
    table(3, 'up_texts', { columns: column('masjid_id', 25) }),
    table(4, 'up_unlogged', { columns: column('masjid_id'), logged: false }),
    table(5, 'up_entities', { columns: column('id') }),
    { ...view(6, 'up_plain_view', {}), columns: column('masjid_id') },
    { ...view(7, 'up_view', {}), comment: '@of_masjid masjid_id up_events, up_masjids\nA view.' },
  ]
  const { byMasjid } = buildSources({ relations: placed, functions: [] } as unknown as RawCatalog, 'public')
  assert.deepEqual(
    [...byMasjid],
    [
      ['up_masjids', { column: 'id', tables: ['public.up_masjids'] }],
      ['up_events', { column: 'masjid_id', tables: ['public.up_events'] }],
      ['up_view', { column: 'masjid_id', tables: ['public.up_events', 'public.up_masjids'] }],
    ],
  )
})
