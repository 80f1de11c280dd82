// Hasura's operators and spellings beyond the everyday ones.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { grantWith, useEngine } from './use-engine.ts'

const statements = `
  create schema trees;
  create extension ltree schema trees;
  create table up_topics (id int primary key, path trees.ltree, doc jsonb, old json, grid int[][], cube text[][][]);
  insert into up_topics values
    (1, 'a', '{"b c": [10, {"d": 1}], "e.f": {"\\"q": true}}', '{"x": [1, 2]}', '{{1,2},{3,4}}', '{{{a}}}'),
    (2, 'a.b', '{"a": {"b c": [7]}}', '{"y": "Zakat"}', '{{5}}', null),
    (3, 'a.b.c', null, null, null, null);
  create table up_tasks (id int primary key, topic_id int references up_topics, done boolean, urgent boolean);
  insert into up_tasks values (1, 1, true, false), (2, 1, true, true), (3, 2, true, false), (4, 2, false, false);
  create table up_places (id int primary key, name text);
  create table up_owners (id int primary key, name text);
  create view up_links as select 1 as id, 1 as place_id, 2 as owner_id, 1 as other_id;
  comment on view up_links is E'@key id\\n@foreign_key (place_id) references up_places (id)\\n@foreign_key (owner_id) references up_owners (id) object keeper array kept_links\\n@foreign_key (other_id) references up_owners (id)\\n@foreign_key (id) references nowhere (id)\\n@foreign_key nonsense';
  insert into up_places values (1, 'Hall');
  insert into up_owners values (1, 'Amina'), (2, 'Bilal');`

const graphql = useEngine(async database => {
  await database.run(rawSql(`set search_path = public, extensions; ${statements}`))
})
const ask = (query: string, variables: Record<string, unknown> = {}) => graphql().ask(query, { variables })
const ids = async (where: string, table = 'up_topics'): Promise<number[]> =>
  (await ask(`{ ${table}(where: ${where}, order_by: {id: asc}) { id } }`))[table].map(({ id }: { id: number }) => id)

describe('the path of a JSON column', () => {
  for (const [path, value] of [
    [`$`, { 'b c': [10, { d: 1 }], 'e.f': { '"q': true } }],
    [`['b c'][0]`, 10],
    [`["b c"][0]`, 10],
    [`$["b c"][1].d`, 1],
    [`$.['b c'][1]['d']`, 1],
    [`.["b c"].[-1].d`, 1],
    [`b c[0]`, 10],
    [`["e.f"]`, { '"q': true }],
    [`["e.f"]["\\"q"]`, true],
    [`missing.deep`, null],
  ] as const)
    test(path, async () => {
      const query = 'query ($p: String) { up_topics_by_pk(id: 1) { doc(path: $p) } }'
      assert.deepEqual(await ask(query, { p: path }), { up_topics_by_pk: { doc: value } })
    })

  test('a name followed by a quoted one', async () => {
    for (const path of [`a['b c'][0]`, `a.["b c"][0]`, `$.a["b c"].[0]`])
      assert.deepEqual(await ask('query ($p: String) { up_topics_by_pk(id: 2) { doc(path: $p) } }', { p: path }), {
        up_topics_by_pk: { doc: 7 },
      })
  })

  for (const path of ['a..b', 'a[', 'a[b]', `a['b]`, '[]', 'a]'])
    test(`${path} cannot be read`, async () => {
      const query = `{ up_topics { doc(path: ${JSON.stringify(path)}) } }`
      assert.equal((await graphql().refused(query))[0]?.extensions.code, 'bad-value')
    })
})

describe('ltree', () => {
  for (const [where, found] of [
    ['{path: {_ancestor: "a.b"}}', [1, 2]],
    ['{path: {_ancestor_any: ["a.b.c", "x"]}}', [1, 2, 3]],
    ['{path: {_descendant: "a.b"}}', [2, 3]],
    ['{path: {_descendant_any: ["a.b.c", "x"]}}', [3]],
    ['{path: {_matches: "a.*{1}"}}', [2]],
    ['{path: {_matches_any: ["a", "*.c"]}}', [1, 3]],
    ['{path: {_matches_fulltext: "b & !c"}}', [2]],
    ['{path: {_eq: "a.b"}}', [2]],
    ['{path: {_gt: "a"}}', [2, 3]],
  ] as const)
    test(where, async () => assert.deepEqual(await ids(where), found))

  test('in variables of its types', async () => {
    const query =
      'query ($q: lquery!, $a: [ltree!], $t: ltxtquery) { up_topics(where: {path: {_matches: $q, _ancestor_any: $a, _matches_fulltext: $t}}) { id } }'
    assert.deepEqual(await ask(query, { q: '*', a: ['a.b'], t: 'b' }), { up_topics: [{ id: 2 }] })
    assert.equal(
      (await graphql().refused('{ up_topics(where: {path: {_matches: "a.*{"}}) { id } }'))[0]?.extensions.code,
      'bad-value',
    )
  })
})

describe('_cast', () => {
  test('compares JSON as text', async () => {
    assert.deepEqual(await ids('{doc: {_cast: {String: {_like: "%b c%"}}}}'), [1, 2])
    assert.deepEqual(await ids('{old: {_cast: {String: {_ilike: "%zakat%"}}}}'), [2])
    assert.deepEqual(await ids('{_not: {doc: {_cast: {String: {_regex: "7"}}}}}'), [1])
    const query = 'query ($c: jsonb_cast_exp) { up_topics(where: {doc: {_cast: $c}}) { id } }'
    assert.deepEqual(await ask(query, { c: { String: { _eq: '{"a": {"b c": [7]}}' } } }), { up_topics: [{ id: 2 }] })
  })

  test('is a pattern like any other: not null, not too long, and within the scopes of its table', async () => {
    const refusal = async (where: string) =>
      (await graphql().refused(`{ up_topics(where: ${where}) { id } }`))[0]?.extensions.code
    assert.equal(await refusal('{doc: {_cast: null}}'), 'validation-failed')
    assert.equal(await refusal('{doc: {_cast: {String: null}}}'), 'validation-failed')
    assert.equal(await refusal(`{doc: {_cast: {String: {_like: "${'a'.repeat(201)}"}}}}`), 'search-too-long')
    const [error] = await graphql().refused(
      '{ up_masjids(where: {adjustments: {_cast: {String: {_like: "%"}}}}) { id } }',
      {
        grant: grantWith(['events:read']),
      },
    )
    assert.equal(error?.extensions.code, 'insufficient-scope')
  })
})

describe('bool_and and bool_or', () => {
  for (const [where, found] of [
    ['{tasks_aggregate: {bool_and: {arguments: done, predicate: {_eq: true}}}}', [1]],
    ['{tasks_aggregate: {bool_and: {arguments: done, predicate: {_eq: false}}}}', [2]],
    ['{tasks_aggregate: {bool_or: {arguments: urgent, predicate: {_eq: true}}}}', [1]],
    ['{tasks_aggregate: {bool_or: {arguments: urgent, predicate: {_eq: false}}}}', [2]],
    [
      '{tasks_aggregate: {bool_and: {arguments: done, predicate: {_eq: true}, filter: {id: {_lt: 4}}, distinct: true}}}',
      [1, 2],
    ],
    ['{tasks_aggregate: {bool_and: {arguments: done, predicate: {_is_null: true}}}}', [3]],
  ] as const)
    test(where, async () => assert.deepEqual(await ids(where), found))

  test('are offered only for boolean columns', async () =>
    assert.equal(
      (
        await graphql().refused(
          '{ up_topics(where: {tasks_aggregate: {bool_and: {arguments: id, predicate: {_eq: true}}}}) { id } }',
        )
      )[0]?.extensions.code,
      'validation-failed',
    ))
})

describe('a matrix', () => {
  test('has the declared type of its column', async () => {
    const { __type } = await ask(
      '{ __type(name: "up_topics") { fields { name type { kind ofType { kind ofType { kind name ofType { name } } } } } } }',
    )
    const typeOf = (wanted: string) => __type.fields.find(({ name }: { name: string }) => name === wanted).type
    assert.deepEqual(typeOf('grid'), {
      kind: 'LIST',
      ofType: { kind: 'LIST', ofType: { kind: 'SCALAR', name: 'Int', ofType: null } },
    })
    assert.equal(typeOf('cube').ofType.ofType.ofType.name, 'String')
  })

  test('is returned and compared as a list of lists', async () => {
    assert.deepEqual(await ask('{ up_topics_by_pk(id: 1) { grid cube } }'), {
      up_topics_by_pk: {
        grid: [
          [1, 2],
          [3, 4],
        ],
        cube: [[['a']]],
      },
    })
    assert.deepEqual(await ids('{grid: {_eq: [[1, 2], [3, 4]]}}'), [1])
    assert.deepEqual(await ids('{grid: {_in: [[[5]], [[6]]]}}'), [2])
    assert.deepEqual(await ids('{grid: {_contains: [[3]]}}'), [1])
    const query = 'query ($g: [[Int]]) { up_topics(where: {grid: {_eq: $g}}) { id } }'
    assert.deepEqual(await ask(query, { g: [[5]] }), { up_topics: [{ id: 2 }] })
  })
})

describe('the relationships of a view', () => {
  test('come from the lines of its comment, with the names given there', async () =>
    assert.deepEqual(
      await ask(`{ up_links { place { name } keeper { name } other { name } }
        up_places { links { id } } up_owners(order_by: {id: asc}) { kept_links { id } links { id } } }`),
      {
        up_links: [{ place: { name: 'Hall' }, keeper: { name: 'Bilal' }, other: { name: 'Amina' } }],
        up_places: [{ links: [{ id: 1 }] }],
        up_owners: [
          { kept_links: [], links: [{ id: 1 }] },
          { kept_links: [{ id: 1 }], links: [] },
        ],
      },
    ))

  test('an unusable line is reported, with the reason', () => {
    const { leftOut } = graphql().engine.structures.current().model
    assert.ok(
      leftOut.some(line => /"up_links".*\(id\) references nowhere.*not shown/.test(line)),
      leftOut.join('\n'),
    )
    assert.ok(leftOut.some(line => /"up_links".*nonsense.*not of the form/.test(line)))
  })
})
