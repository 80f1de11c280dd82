// Unusual columns: types of other schemas, collations, names like our own aliases.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { useEngine } from './use-engine.ts'

const statements = `
  create table up_parents (id int primary key, t1 int, t2 int, t3 int, doc json, place point);
  create table up_children (id int primary key, parent_id int references up_parents, t1 int, t2 int, doc json, place point);
  insert into up_parents values (1, 7, 7, 7, '{}', '(1,2)'), (2, 8, 8, 8, '{}', '(1,2)');
  insert into up_children values (1, 1, 7, 7, '{}', '(1,2)'), (2, 1, 8, 8, '{}', '(1,2)');
  create function up_parents_label(parent up_parents) returns text language sql stable as $$ select 'parent ' || parent.id $$;
  create function up_children_label(child up_children) returns text language sql stable as $$ select 'child ' || child.id $$;
  create function up_parents_with(word text) returns setof up_parents language sql stable as $$ select * from up_parents $$;
  create table up_amounts (id int primary key, exact numeric, short real, long double precision);
  insert into up_amounts values (1, 'Infinity', 'Infinity', 'Infinity'), (2, '-Infinity', '-Infinity', '-Infinity'),
    (3, 'NaN', 'NaN', 'NaN'), (4, 1.5, 1.5, 1.5);
  create schema other;
  create extension citext schema other;
  create type other.mood as enum ('glad', 'sad');
  create type minaret.closed as enum ('a', 'b');
  create table up_elsewhere (
    id int primary key, mood other.mood not null, moods other.mood[], word other.citext not null, spare other.citext,
    closed minaret.closed);
  create index on up_elsewhere (word);
  insert into up_elsewhere values (1, 'glad', '{glad,sad}', 'Alif', 'x', 'a'), (2, 'sad', '{sad}', 'ba', null, 'a'),
    (3, 'glad', '{}', 'ALIF', 'X', 'b'), (4, 'sad', '{}', 'Ta', null, 'b');
  create unique index up_elsewhere_word_id on up_elsewhere (word, id);
  create table up_worded (word other.citext primary key);
  create table up_wordings (id int primary key, word_id other.citext references up_worded);
  insert into up_worded values ('Alif');
  insert into up_wordings values (1, 'ALIF');
  create function up_elsewhere_like(wanted other.mood) returns setof up_elsewhere language sql stable
    as $$ select * from up_elsewhere where mood = wanted $$;
  create collation either_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create table up_collated (id int primary key, word text collate either_case, fixed char(4), subnet cidr, thing regclass);
  insert into up_collated values (1, 'Noor', 'ab', '10.0.0.0/8', 'pg_class'), (2, 'NOOR', 'abc', '10.1.0.0/16', 'pg_type'),
    (3, 'Öl', 'ABC', '192.168.0.0/16', null);`

const graphql = useEngine(async database => {
  await database.run(rawSql(`set search_path = public, extensions; ${statements}`))
})
const ask = (query: string) => graphql().ask(query)

describe('a column named like one of our aliases', () => {
  test('computed fields get the row, not the column', async () => {
    assert.deepEqual(
      await ask('{ up_parents(order_by: {label: desc}) { label children(order_by: {id: asc}) { label } } }'),
      {
        up_parents: [
          { label: 'parent 2', children: [] },
          { label: 'parent 1', children: [{ label: 'child 1' }, { label: 'child 2' }] },
        ],
      },
    )
  })

  test('also on a later page, in filters, in aggregates and in the rows of a function', async () => {
    assert.deepEqual(
      await ask(`{ page: up_parents(order_by: {id: asc}, offset: 1) { label }
        found: up_parents(where: {children: {label: {_eq: "child 2"}}}) { label }
        totals: up_parents_aggregate(where: {label: {_neq: "parent 1"}}, offset: 0) { aggregate { count } nodes { label } }
        given: up_parents_with(args: {word: "x"}, order_by: {id: asc}, offset: 1) { label } }`),
      {
        page: [{ label: 'parent 2' }],
        found: [{ label: 'parent 1' }],
        totals: { aggregate: { count: 1 }, nodes: [{ label: 'parent 2' }] },
        given: [{ label: 'parent 2' }],
      },
    )
  })
})

describe('a column whose values cannot be compared', () => {
  for (const column of ['doc', 'place'])
    test(`${column} does not support distinct counts, neither in a selection nor in a filter`, async () => {
      const filter = `{children_aggregate: {count: {arguments: [${column}], distinct: true, predicate: {_gte: 1}}}}`
      for (const query of [
        `{ up_children_aggregate { aggregate { count(columns: [${column}], distinct: true) } } }`,
        `{ up_parents(where: ${filter}) { id } }`,
      ]) {
        const [error] = await graphql().refused(query)
        assert.equal(error?.extensions.code, 'validation-failed')
        assert.match(String(error?.message), new RegExp(`Values of ${column} cannot be compared`))
      }
      const plain = filter.replace('distinct: true, ', '')
      assert.deepEqual(await ask(`{ up_parents(where: ${plain}) { id } }`), { up_parents: [{ id: 1 }] })
    })
})

describe('numbers that JSON cannot represent', () => {
  for (const column of ['exact', 'short', 'long'])
    test(`${column}: the written value can be used in a filter, as a literal and as a variable`, async () => {
      const { up_amounts } = await ask(`{ up_amounts(order_by: {id: asc}) { ${column} } }`)
      const values = up_amounts.map((row: Record<string, unknown>) => row[column])
      assert.deepEqual(values, ['Infinity', '-Infinity', 'NaN', 1.5])
      const type = column === 'exact' ? 'numeric' : 'Float'
      for (const [index, value] of values.entries()) {
        const found = { up_amounts: [{ id: index + 1 }] }
        const written = JSON.stringify(value)
        assert.deepEqual(await ask(`{ up_amounts(where: {${column}: {_eq: ${written}}}) { id } }`), found)
        const query = `query ($v: [${type}!]) { up_amounts(where: {${column}: {_in: $v}}) { id } }`
        assert.deepEqual(await graphql().ask(query, { variables: { v: [value] } }), found)
      }
    })

  test('other strings are not numbers', async () => {
    for (const word of ['infinite', '1.5', ''])
      assert.match(
        String((await graphql().refused(`{ up_amounts(where: {long: {_eq: "${word}"}}) { id } }`))[0]?.message),
        /Float cannot represent/,
      )
  })
})

const ids = async (table: string, where: string): Promise<number[]> =>
  (await ask(`{ ${table}(where: ${where}, order_by: {id: asc}) { id } }`))[table].map(({ id }: { id: number }) => id)

describe('types of another schema', () => {
  for (const [where, found] of [
    ['{mood: {_eq: glad}}', [1, 3]],
    ['{mood: {_in: [sad]}}', [2, 4]],
    ['{moods: {_contains: [sad]}}', [1, 2]],
    ['{word: {_eq: "alif"}}', [1, 3]],
    ['{word: {_neq: "alif"}}', [2, 4]],
    ['{word: {_gt: "ALIF"}}', [2, 4]],
    ['{word: {_in: ["alif", "BA"]}}', [1, 2, 3]],
    ['{word: {_nin: ["alif", "BA"]}}', [4]],
    ['{word: {_like: "al%"}}', [1, 3]],
    ['{word: {_nilike: "AL%"}}', [2, 4]],
    ['{word: {_similar: "(al|b)%"}}', [1, 2, 3]],
    ['{word: {_nsimilar: "(al|b)%"}}', [4]],
    ['{word: {_regex: "^al"}}', [1, 3]],
    ['{word: {_niregex: "^al"}}', [2, 4]],
  ] as const)
    test(`are compared with their own operators: ${where}`, async () =>
      assert.deepEqual(await ids('up_elsewhere', where), found))

  test('also by key, in aggregates and as arguments of functions', async () => {
    assert.deepEqual(
      await ask(`{ up_elsewhere_by_word_id(word: "TA", id: 4) { word } up_elsewhere_like(args: {wanted: sad}) { id }
        up_elsewhere_aggregate(where: {id: {_lte: 3}}) { aggregate { max { word mood } count(columns: word, distinct: true) } } }`),
      {
        up_elsewhere_by_word_id: { word: 'Ta' },
        up_elsewhere_like: [{ id: 2 }, { id: 4 }],
        up_elsewhere_aggregate: { aggregate: { max: { word: 'ba', mood: 'sad' }, count: 2 } },
      },
    )
  })

  test('also in relationships', async () => {
    const query =
      '{ up_wordings(where: {word: {word: {_eq: "aliF"}}}) { word { word wordings_aggregate { aggregate { count } } } } }'
    assert.deepEqual(await ask(query), {
      up_wordings: [{ word: { word: 'Alif', wordings_aggregate: { aggregate: { count: 1 } } } }],
    })
  })

  test('cursors follow their own order', async () => {
    for (const order of ['{word: asc}', '{word: desc}', '[{spare: asc}, {word: asc}]', '{spare: desc}']) {
      const all = (await ask(`{ up_elsewhere(order_by: ${order}) { id _cursor } }`)).up_elsewhere
      for (const [index, { _cursor }] of all.entries()) {
        const rest = await ask(`{ up_elsewhere(order_by: ${order}, after: "${_cursor}") { id _cursor } }`)
        assert.deepEqual(rest.up_elsewhere, all.slice(index + 1), order)
      }
    }
  })

  test('a type that the reader has no access to is left out, and logged', async () => {
    const { leftOut } = graphql().engine.structures.current().model
    assert.ok(leftOut.some(line => /up_elsewhere\.closed.*schema that the reader may not use/.test(line)))
    assert.equal((await graphql().refused('{ up_elsewhere { closed } }'))[0]?.extensions.code, 'validation-failed')
  })
})

/** Before 18, PostgreSQL refuses LIKE under a nondeterministic collation: the letters are compared then. */
const needs18 = new Set(['{word: {_like: "noo%"}}', '{word: {_nlike: "noo%"}}'])

describe('text columns with their own collation', () => {
  for (const [where, found] of [
    ['{word: {_eq: "noor"}}', [1, 2]],
    ['{word: {_like: "noo%"}}', [1, 2]],
    ['{word: {_nlike: "noo%"}}', [3]],
    ['{word: {_ilike: "nOO%"}}', [1, 2]],
    ['{word: {_ilike: "öL"}}', [3]],
    ['{word: {_nilike: "nOO%"}}', [3]],
    ['{word: {_similar: "N(oo|u)r"}}', [1]],
    ['{word: {_nsimilar: "N(oo|u)r"}}', [2, 3]],
    ['{word: {_regex: "^N.*r$"}}', [1]],
    ['{word: {_nregex: "^N.*r$"}}', [2, 3]],
    ['{word: {_iregex: "^N.*r$"}}', [1, 2]],
    ['{word: {_niregex: "^N.*r$"}}', [3]],
    ['{fixed: {_eq: "ab"}}', [1]],
    ['{fixed: {_like: "ab  "}}', [1]],
    ['{fixed: {_like: "ab%"}}', [1, 2]],
    ['{fixed: {_ilike: "ABC "}}', [2, 3]],
    ['{fixed: {_regex: "^ab +$"}}', [1]],
    ['{fixed: {_similar: "ab[c ] *"}}', [1, 2]],
  ] as const)
    test(where, async t => {
      const { server } = graphql().engine.structures.current().model
      if (server < 18 && needs18.has(where))
        return t.skip(`PostgreSQL ${server} has no such pattern for this collation`)
      assert.deepEqual(await ids('up_collated', where), found)
    })
})

describe('networks', () => {
  test('are compared as in PostgreSQL', async () => {
    assert.deepEqual(await ids('up_collated', '{subnet: {_eq: "10.1.0.0/16"}}'), [2])
    assert.deepEqual(await ids('up_collated', '{subnet: {_gt: "10.0.0.0/8"}}'), [2, 3])
    assert.deepEqual(await ids('up_collated', '{subnet: {_in: ["10.0.0.0/8", "192.168.0.0/16"]}}'), [1, 3])
    const { up_collated } = await ask('{ up_collated(order_by: {subnet: desc}, limit: 1) { id subnet } }')
    assert.deepEqual(up_collated, [{ id: 3, subnet: '192.168.0.0/16' }])
  })
})
