// Columns that few tables have: types of other schemas, collations, names like our own aliases.
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
    (3, 'NaN', 'NaN', 'NaN'), (4, 1.5, 1.5, 1.5);`

const graphql = useEngine(async database => {
  await database.run(rawSql(`set search_path = public, extensions; ${statements}`))
})
const ask = (query: string) => graphql().ask(query)

describe('a column that is called as an alias of ours', () => {
  test('computed fields are given the row, not the column', async () => {
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

  test('also on a later page, in filters, in totals and in the rows of a function', async () => {
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
    test(`${column} is not counted once, neither in a selection nor in a filter`, async () => {
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

describe('numbers that JSON has no numbers for', () => {
  for (const column of ['exact', 'short', 'long'])
    test(`${column}: what is written can be asked for, as a literal and as a variable`, async () => {
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

  test('other strings are no numbers', async () => {
    for (const word of ['infinite', '1.5', ''])
      assert.match(
        String((await graphql().refused(`{ up_amounts(where: {long: {_eq: "${word}"}}) { id } }`))[0]?.message),
        /Float cannot represent/,
      )
  })
})
