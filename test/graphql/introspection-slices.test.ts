// Introspection uses the types of graphql-js but not its executor: the responses must be identical.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { execute, type GraphQLSchema, getIntrospectionQuery, parse, validate } from 'graphql'
import { publicScopes } from '../../src/access/scopes.ts'
import { refusalOf } from '../../src/graphql/errors.ts'
import { schemaFor } from '../../src/graphql/introspection/schema-for.ts'
import { holds } from '../support/holds.ts'
import { everything, grantWith, useEngine, withoutRows } from './use-engine.ts'

const graphql = useEngine(withoutRows)
const some = grantWith(publicScopes)

const byGraphqlJs = (schema: GraphQLSchema, query: string, variableValues: Record<string, unknown>): unknown => {
  const result = execute({ schema, document: parse(query), variableValues })
  assert.ok(!(result instanceof Promise))
  return result
}

const compare = async (query: string, variables: Record<string, unknown>, grant = everything): Promise<void> => {
  const { engine, text } = graphql()
  const schema = schemaFor(engine.structures.current(), grant)
  const expected = byGraphqlJs(schema, query, variables)
  assert.equal(`{"data":${await text(query, { variables, grant })}}`, JSON.stringify(expected))
}

const leaves: Readonly<Record<string, readonly string[]>> = {
  __Schema: ['description'],
  __Type: ['kind', 'name', 'description', 'specifiedByURL', 'isOneOf'],
  __Field: ['name', 'description', 'isDeprecated', 'deprecationReason'],
  __InputValue: ['name', 'description', 'defaultValue', 'isDeprecated', 'deprecationReason'],
  __EnumValue: ['name', 'description', 'isDeprecated', 'deprecationReason'],
  __Directive: ['name', 'description', 'isRepeatable', 'locations', 'isDeprecated'],
}

/** For each type: its fields that lead to other types, which types, and whether they take `includeDeprecated`. */
const ways: Readonly<Record<string, readonly (readonly [name: string, to: string, takes: boolean])[]>> = {
  __Schema: [
    ['queryType', '__Type', false],
    ['mutationType', '__Type', false],
    ['types', '__Type', false],
    ['directives', '__Directive', true],
  ],
  __Type: [
    ['fields', '__Field', true],
    ['inputFields', '__InputValue', true],
    ['enumValues', '__EnumValue', true],
    ['ofType', '__Type', false],
    ['interfaces', '__Type', false],
    ['possibleTypes', '__Type', false],
  ],
  __Field: [
    ['args', '__InputValue', true],
    ['type', '__Type', false],
  ],
  __InputValue: [['type', '__Type', false]],
  __EnumValue: [],
  __Directive: [['args', '__InputValue', true]],
}

const aliases = fc.option(fc.constantFrom('a', 'b', '__x', 'name2'), { nil: undefined })
const condition = fc.constantFrom(
  '',
  '',
  '',
  ' @include(if: $yes)',
  ' @skip(if: $no)',
  ' @skip(if: true)',
  ' @include(if: $no) @skip(if: $no)',
)
const deprecated = fc.constantFrom(
  '',
  '(includeDeprecated: true)',
  '(includeDeprecated: false)',
  '(includeDeprecated: $yes)',
)

/** Every alias names one field: a key used for two different fields would not be valid. */
const keyed = (alias: string | undefined, field: string, extra: string): string =>
  alias === undefined ? field : `${alias}_${field}${extra.replaceAll(/\W/g, '')}: ${field}`

const leafOf = (type: string): fc.Arbitrary<string> =>
  fc
    .tuple(aliases, fc.constantFrom('__typename', ...(leaves[type] ?? [])), condition)
    .map(([alias, field, when]) => `${keyed(alias, field, '')}${when}`)

const setOf = (type: string, depth: number): fc.Arbitrary<string> => {
  const onward = depth > 0 ? (ways[type] ?? []) : []
  const branches = onward.map(([name, to, takes]) =>
    fc
      .tuple(takes ? deprecated : fc.constant(''), condition, setOf(to, depth - 1))
      .map(([given, when, set]) => `${keyed('k', name, given)}${given}${when} ${set}`),
  )
  const wrapped = leafOf(type).map(text => `... on ${type} { ${text} }`)
  const other = leafOf('__EnumValue').map(() => `...Names${type}`)
  const parts = fc.oneof(
    { weight: 4, arbitrary: leafOf(type) },
    wrapped,
    other,
    ...branches.map(arbitrary => ({ weight: 3, arbitrary })),
  )
  return fc.array(parts, { minLength: 1, maxLength: 4 }).map(texts => `{ __typename ${texts.join(' ')} }`)
}

const fragments = Object.keys(leaves)
  .map(type => `fragment Names${type} on ${type} { __typename ... on ${type} { again: ${leaves[type]?.[0]} } }`)
  .join('\n')

const usedFragments = (text: string): string =>
  fragments
    .split('\n')
    .filter(line => text.includes(`...${line.split(' ')[1]} `) || text.includes(`...${line.split(' ')[1]}}`))
    .join('\n')

const roots = fc.oneof(
  setOf('__Schema', 3).map(set => `one: __schema ${set}`),
  fc
    .tuple(
      fc.constantFrom('"up_masjids"', '"query_root"', '"up_masjids_bool_exp"', '"order_by"', '"none"', '$name'),
      setOf('__Type', 4),
    )
    .map(([name, set]) => `two: __type(name: ${name}) ${set}`),
)

describe('introspection', () => {
  test('the usual query, for all scopes and for some', async () => {
    for (const grant of [everything, some]) {
      await compare(getIntrospectionQuery(), {}, grant)
      await compare(
        getIntrospectionQuery({
          inputValueDeprecation: true,
          specifiedByUrl: true,
          directiveIsRepeatable: true,
          oneOf: true,
        }),
        {},
        grant,
      )
    }
  })

  test('any selection, alias, fragment, directive and argument is answered as graphql-js would', async () => {
    const variables = { yes: true, no: false, name: 'up_events' }
    let compared = 0
    await holds(
      fc.asyncProperty(roots, fc.boolean(), async (root, all) => {
        const declared = ['$yes: Boolean!', '$no: Boolean!', '$name: String!'].filter(one =>
          root.includes(one.split(':')[0] as string),
        )
        const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`
        const query = `${head} { ${root} }\n${usedFragments(`${root} `)}`
        const grant = all ? everything : some
        // Some are deeper than validation allows, or cost more than an operation may: both refuse those.
        if (validate(schemaFor(graphql().engine.structures.current(), grant), parse(query)).length > 0) return
        compared += 1
        await compare(query, variables, grant).catch(error => {
          const code = refusalOf(error)?.errors[0]?.extensions.code
          if (code !== 'too-costly') throw error
          compared -= 1
        })
      }),
      { runs: 150 },
    )
    assert.ok(compared > 50, `only ${compared} could be compared`)
  })

  test('the same query under another name is served from the cache', async () => {
    const { engine, text } = graphql()
    const { introspections } = engine.structures.current()
    await text('{ first: __type(name: "up_masjids") { name fields { name } } }')
    const { size } = introspections
    await text(
      '{ second: __type(name: "up_masjids") { ...T } } fragment T on __Type { name fields { ...F } } fragment F on __Field { name }',
    )
    assert.equal(introspections.size, size)
  })

  test('a response that long aliases make too long is refused before it is written', async () => {
    const alias = 'a'.repeat(100_000)
    const [error] = await graphql().refused(`{ __schema { types { fields { ${alias}: name } } } }`)
    assert.equal(error?.extensions.code, 'too-costly')
  })
})
