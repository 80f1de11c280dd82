import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { compilePlan } from '../../src/graphql/compile/compile-plan.ts'
import { chooseOperation, prepareDocument } from '../../src/graphql/document.ts'
import { planFor } from '../../src/graphql/plan-for.ts'
import { readVariables } from '../../src/graphql/read-variables.ts'
import { everything, useEngine } from './use-engine.ts'

const awkward = [
  `E'"quotes" \\\\ \\n\\t\\r\\b\\f \\x01 \\x7f </script> \\u2028 مسجد 🕌'`,
  `E''`,
  `'{"not": "json"}'`,
  'repeat(\'long "x" \', 400)',
]

const statements = [
  `create type public.up_mood as enum ('plain', 'with "quotes"', E'back\\\\slash')`,
  `create type public.up_place as (name text, distance double precision)`,
  'create domain public.up_positive as int check (value > 0)',
  `create table public.up_forms (
     id int primary key, key uuid not null, other_key uuid, words text, letters char(6), yes boolean not null, number_a double precision,
     number_b real, exact numeric, large bigint, positive public.up_positive, mood public.up_mood, moods public.up_mood[],
     place public.up_place, day date, instant timestamptz, moment timestamp, clock timetz, length interval, bytes bytea,
     document json, structured jsonb, matrix int[][], ranges int4multirange
   )`,
  `comment on table public.up_forms is '@scope masjid:read'`,
  ...awkward.map(
    (words, index) => `insert into public.up_forms values (
       ${index + 1}, gen_random_uuid(), gen_random_uuid(), ${words}, 'ab', true, 'NaN', '-Infinity', 'Infinity', 9007199254740993, 7,
       'with "quotes"', array['plain', E'back\\\\slash', null]::public.up_mood[], row(${words}, 1.5), 'infinity', '-infinity',
       '2026-03-29 01:02:03.000004', '10:00:00.5+05:30', '1 day -00:00:01', '\\x00ff', E'{ "a" :\\n [1.0, "x"] }',
       jsonb_build_object('words', ${words}), '{{1,2},{3,null}}', '{[1,2),[5,9)}')`,
  ),
  'insert into public.up_forms (id, key, yes) values (99, gen_random_uuid(), false)',
]

const graphql = useEngine(async database => {
  for (const statement of statements) await database.run(rawSql(statement))
})

const columns = (): string[] => [
  ...(graphql().engine.structures.current().model.tables.get('up_forms')?.columns.keys() ?? []),
]

const direct = async (): Promise<Record<string, unknown>[]> => {
  const fields = columns()
    .map(name => `"${name}"`)
    .join(', ')
  const row = await graphql().database.first<{ rows: string }>(
    rawSql(`select json_agg(f)::text as rows from (select ${fields} from public.up_forms order by id) f`),
  )
  return JSON.parse(row?.rows ?? '')
}

const planOf = (text: string) => {
  const structure = graphql().engine.structures.current()
  const document = prepareDocument(text, structure.schema)
  const operation = chooseOperation(document, undefined)
  const variables = readVariables(structure.schema, operation, {})
  return planFor(structure, { text, document, operation, variables }, everything).plan
}

describe('the JSON that statements write', () => {
  test('has every value of every type as PostgreSQL itself converts it to JSON, and nulls', async () => {
    const names = columns()
    assert.ok(names.length >= 24, names.join())
    const { up_forms: rows } = await graphql().ask(`{ up_forms(order_by: {id: asc}) { ${names.join(' ')} } }`)
    assert.deepEqual(rows, await direct())
    assert.equal(rows.length, awkward.length + 1)
    for (const row of rows) {
      const { up_forms_by_pk: one } = await graphql().ask(`{ up_forms_by_pk(id: ${row.id}) { ${names.join(' ')} } }`)
      assert.deepEqual(one, row)
    }
  })

  test('is the same on servers without json_scalar', async t => {
    const { server: known } = graphql().engine.structures.current().model
    if (known < 17) return t.skip(`PostgreSQL ${known} does not know json_scalar`)
    const names = columns().join(' ')
    const plan = planOf(`{
      up_forms(order_by: {id: asc}) { __typename ${names} }
      up_forms_by_pk(id: 1) { ${names} }
      none: up_forms(where: {id: {_eq: 1000}}) { id }
      up_forms_aggregate(group_by: [mood]) { aggregate { count max { words id } sum { exact } } nodes { id } groups { keys { mood } aggregate { count } } }
    }`)
    const values = ['1', '1000']
    const run = async (server: number): Promise<string> => {
      const { text } = compilePlan(plan, { server, forUser: false })
      assert.equal(text.includes('json_scalar'), server >= 17)
      const bound = text.replaceAll(/\$(\d)::/g, (_all, digit) => `'${values[Number(digit) - 1]}'::`)
      return (await graphql().database.first<{ data: string }>(rawSql(bound)))?.data ?? ''
    }
    const [older, newer] = [await run(15), await run(18)]
    assert.equal(older, newer)
    assert.deepEqual(JSON.parse(newer).none, [])
    assert.equal(JSON.parse(newer).up_forms.length, awkward.length + 1)
  })

  test('rows of 200 fields and of none are complete', async () => {
    const aliases = Array.from({ length: 200 }, (_, index) => `f${index}`)
    const fields = aliases.map((alias, index) => `${alias}: ${index % 2 === 0 ? 'id' : 'key'}`).join(' ')
    const { up_forms: rows } = await graphql().ask(`{ up_forms(limit: 1, order_by: {id: asc}) { ${fields} } }`)
    assert.deepEqual(Object.keys(rows[0]), aliases)
    assert.equal(rows[0].f198, 1)
    assert.equal(await graphql().text('{ up_forms(limit: 2) { id @skip(if: true) } }'), '{"up_forms":[{},\n{}]}')
  })
})
