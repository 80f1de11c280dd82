import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql'
import { knownNumber, shapeKey, shapeOf } from './shape.ts'

const direction = new GraphQLEnumType({
  name: 'order_by',
  values: { asc: {}, desc: {} },
  extensions: { structural: true },
})
const mode = new GraphQLEnumType({ name: 'mode', values: { online: {}, hybrid: {} } })
const filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'filter',
  fields: () => ({
    name: { type: GraphQLString },
    size: { type: GraphQLInt },
    _in: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    _and: { type: new GraphQLList(new GraphQLNonNull(filter)) },
    only: { type: GraphQLBoolean },
  }),
})

const key = (value: unknown, type: GraphQLInputType): string => shapeKey(shapeOf(value, type))

test('values that become parameters are not part of the shape', () => {
  assert.equal(key({ name: 'a', size: 1 }, filter), key({ name: 'b', size: 2 }, filter))
  assert.equal(key({ _in: ['a'] }, filter), key({ _in: ['b', 'c', 'd'] }, filter))
  assert.equal(key('online', mode), key('hybrid', mode))
})

test('values that change the statement are', () => {
  assert.notEqual(key({ name: 'a' }, filter), key({ size: 1 }, filter))
  assert.notEqual(key({ name: 'a' }, filter), key({ name: null }, filter))
  assert.notEqual(key({ _and: [{}] }, filter), key({ _and: [{}, {}] }, filter))
  assert.notEqual(key({ only: true }, filter), key({ only: false }, filter))
  assert.notEqual(key('asc', direction), key('desc', direction))
  assert.notEqual(shapeKey(knownNumber(5)), shapeKey(knownNumber(6)))
})

test('a single value where a list is expected is a list of one', () => {
  const list = new GraphQLList(new GraphQLNonNull(filter))
  assert.equal(key({ name: 'a' }, list), key([{ name: 'a' }], list))
})

test('no two shapes share a key, whatever their strings contain', () => {
  assert.notEqual(key(['asc', 'desc'], new GraphQLList(direction)), key(['asc,desc'], new GraphQLList(direction)))
})
