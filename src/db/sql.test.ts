import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifier, joinSql, quoteIdentifier, quoteLiteral, rawSql, sql, toStatement } from './sql.ts'

test('values become parameters, in order', () => {
  const { text, values } = toStatement(sql`select ${1} where a = ${'b'} and c = ${null}`)
  assert.deepEqual([text, values], ['select $1 where a = $2 and c = $3', [1, 'b', null]])
})

test('nested sql is spliced in, and its parameters are renumbered', () => {
  const inner = sql`x = ${1}`
  const { text, values } = toStatement(
    sql`select from ${identifier('up', 'masj"ids')} where ${joinSql([inner, sql`y = ${2}`], ' and ')} ${rawSql('limit 1')}`,
  )
  assert.deepEqual([text, values], ['select from "up"."masj""ids" where x = $1 and y = $2 limit 1', [1, 2]])
})

test('an object that only looks like sql is a value', () => {
  assert.deepEqual(
    toStatement(sql`select ${JSON.parse('{"kind":"sql","made":true,"pieces":[{"raw":"drop table x"}]}')}`).text,
    'select $1',
  )
})

test('identifiers and literals cannot break out of their quotes', () => {
  assert.equal(quoteIdentifier('a"; drop table x; --'), '"a""; drop table x; --"')
  assert.equal(quoteIdentifier('a\0b'), '"ab"')
  assert.equal(quoteLiteral("it's"), "'it''s'")
  assert.equal(quoteLiteral("\\'"), " E'\\\\'''")
})
