// Under /v1 changes only add: every query that ever worked still works, with the same types.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { getIntrospectionQuery, type IntrospectionQuery, type IntrospectionTypeRef } from 'graphql'
import { useEngine, withoutRows } from './use-engine.ts'

const graphql = useEngine(withoutRows)
/** One line per field and argument ever offered; UPDATE_GOLDEN=1 adds new ones and removes none. */
const file = new URL('golden/v1.txt', import.meta.url)

const nameOf = (type: IntrospectionTypeRef): string => {
  if (type.kind === 'NON_NULL') return `${nameOf(type.ofType)}!`
  return type.kind === 'LIST' ? `[${nameOf(type.ofType)}]` : type.name
}

/** Root fields with their arguments, and the fields of tables; everything else is derived from them by rule. */
const offered = async (): Promise<string[]> => {
  const { __schema }: IntrospectionQuery = await graphql().ask(getIntrospectionQuery())
  return __schema.types.flatMap(type => {
    if (type.kind !== 'OBJECT' || !/^(query_root|(up|ua|pc)_[a-z_]+)$/.test(type.name)) return []
    if (/_(aggregate|fields|groups?|keys)$|_aggregate_/.test(type.name)) return []
    return type.fields.flatMap(field => [
      `${type.name}.${field.name}: ${nameOf(field.type)}`,
      ...(type.name === 'query_root'
        ? field.args.map(argument => `${type.name}.${field.name}(${argument.name}: ${nameOf(argument.type)})`)
        : []),
    ])
  })
}

test('nothing that was ever offered under /v1 has been removed or changed its type', async () => {
  const now = (await offered()).sort()
  const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${[...new Set([...before, ...now])].sort().join('\n')}\n`)
  assert.ok(now.length > 400, `${now.length} lines`)
  const still = new Set(now)
  assert.deepEqual(
    before.filter(line => !still.has(line)),
    [],
  )
  assert.ok(before.length > 400 || process.env.UPDATE_GOLDEN === '1')
})

test('whatever is offered under /v1 is listed, and so kept: UPDATE_GOLDEN=1 lists it', async () => {
  const listed = new Set(readFileSync(file, 'utf8').trim().split('\n'))
  assert.deepEqual(
    (await offered()).filter(line => !listed.has(line)),
    [],
  )
})
