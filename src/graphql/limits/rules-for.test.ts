import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate } from 'graphql'
import { rulesFor } from './rules-for.ts'

const schema = buildSchema(`
  directive @once on FIELD
  type Query { one(id: Int!, more: [In]): One many: [One!]! }
  type One { id: Int name: String other(limit: Int = 1): One }
  input In { a: Int! b: String }
`)

/** A document that breaks each kind of rule, and some that break none. */
const documents = [
  '{ one(id: 1) { id name } }',
  'query A { many { id } } query A { many { id } }',
  '{ many { id } } query B { many { id } }',
  'mutation { none }',
  'subscription { none }',
  '{ one { id } }',
  '{ one(id: "x") { id } }',
  '{ one(id: 1, id: 2) { id } }',
  '{ one(id: 1, more: [{ b: "x" }]) { id } }',
  '{ one(id: 1, more: [{ a: 1, a: 2 }]) { id } }',
  '{ many }',
  '{ many { id { x } } }',
  '{ many { nope } }',
  '{ one(id: $id) { id } }',
  'query ($id: Int!) { many { id } }',
  'query ($id: Int!, $id: Int!) { one(id: $id) { id } }',
  'query ($id: Nope) { one(id: $id) { id } }',
  'query ($id: One) { one(id: $id) { id } }',
  'query ($id: Int) { one(id: $id) { id } }',
  '{ many { ...Nope } }',
  '{ many { id } } fragment F on One { id }',
  '{ many { ...F } } fragment F on One { ...F }',
  '{ many { ...F } } fragment F on One { id } fragment F on One { name }',
  '{ many { ... on Nope { id } } }',
  '{ many { ... on Query { many { id } } } }',
  '{ many { ... on Int { id } } }',
  '{ many { id @nope } }',
  '{ many { id @once @once } }',
  '{ many @include { id } }',
  'type X { id: Int }',
]

for (const text of documents)
  test(`the skipped rules find nothing in: ${text}`, () => {
    const document = parse(text)
    const all = specifiedRules.filter(rule => rule !== OverlappingFieldsCanBeMergedRule)
    const words = (rules: typeof all) => validate(schema, document, rules).map(({ message }) => message)
    assert.deepEqual(words([...rulesFor(text)]), words(all))
  })

test('few rules run on most documents', () => {
  assert.ok(rulesFor('{ up_masjids { id } }').length <= specifiedRules.length / 2)
})
