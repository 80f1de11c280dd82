import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codegen } from '@graphql-codegen/core'
import * as operationsPlugin from '@graphql-codegen/typescript-operations'
import { buildClientSchema, buildSchema, type IntrospectionQuery, parse, printSchema } from 'graphql'
import { makeApp, makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { ask } from '../support/sandbox.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const project = fileURLToPath(new URL('../../', import.meta.url))

const file = async (url: string, key?: string): Promise<string> => {
  const response = await fetch(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  return response.text()
}

test('the sandbox gives the whole schema to everybody, as SDL and as introspection, and both are the same', async () => {
  const sdl = await file(`${minaret().sandboxUrl}/v1/schema.graphql`)
  const json = JSON.parse(await file(`${minaret().sandboxUrl}/v1/schema.json`)) as { data: IntrospectionQuery }
  assert.equal(printSchema(buildClientSchema(json.data)), printSchema(buildSchema(sdl)))
  for (const table of ['up_masjids', 'ua_donations', 'pc_prayer_times']) assert.match(sdl, new RegExp(`type ${table} `))
  assert.match(sdl, /Masjids: where they are, what they offer/, 'comments are descriptions')
})

test('the main endpoint gives what the credential may read, and nothing without one', async () => {
  const { baseUrl, service } = minaret()
  for (const name of ['schema.graphql', 'schema.json']) assert.equal((await fetch(`${baseUrl}/v1/${name}`)).status, 401)
  const app = await makeApp(service.database, { scopes: ['masjid:read', 'donations:read'] })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: ['masjid:read'] })
  const sdl = await file(`${baseUrl}/v1/schema.graphql`, key)
  assert.match(sdl, /type up_masjids /)
  assert.doesNotMatch(sdl, /ua_donations|pc_prayer_times/)
})

test('a copy is asked for again by its tag', async () => {
  const url = `${minaret().sandboxUrl}/v1/schema.graphql`
  const etag = (await fetch(url)).headers.get('etag') ?? ''
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
})

const document = `query Masjids($city: String!) {
  up_masjids(where: {city: {_eq: $city}}, limit: 2) { id name latitude facilities events(limit: 1) { title starts_local } }
}`

const generate = async (sdl: string): Promise<string> => {
  const config = {
    scalars: { uuid: 'string', timestamp: 'string', timestamptz: 'string', date: 'string', bigint: 'number' },
  }
  return codegen({
    schema: parse(sdl),
    documents: [{ document: parse(document) }],
    config,
    filename: 'minaret.ts',
    plugins: [{ operations: {} }],
    pluginMap: { operations: operationsPlugin },
  })
}

const program = (field: string): string => `
import type { MasjidsQuery, MasjidsQueryVariables } from './minaret.ts'
export const variables: MasjidsQueryVariables = { city: 'Chicago' }
export const describe = (data: MasjidsQuery): string[] =>
  data.up_masjids.map(masjid => masjid.${field}.toUpperCase() + masjid.latitude.toFixed(2) + (masjid.events[0]?.title ?? ''))
`

const compile = async (types: string, code: string): Promise<string> => {
  const folder = mkdtempSync(join(project, 'node_modules', '.codegen-'))
  try {
    writeFileSync(join(folder, 'minaret.ts'), types)
    writeFileSync(join(folder, 'program.ts'), code)
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'esnext',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc')
    await promisify(execFile)(process.execPath, [tsc, '-p', folder])
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('graphql-codegen makes types of it: a typed query compiles, and one with a wrong field does not', async () => {
  const types = await generate(await file(`${minaret().sandboxUrl}/v1/schema.graphql`))
  assert.equal(await compile(types, program('name')), '')
  assert.match(await compile(types, program('nick_name')), /nick_name/)
  const { data, errors } = await ask(minaret().sandboxUrl, { query: document, variables: { city: 'Chicago' } })
  assert.equal(errors, undefined)
  assert.ok(Array.isArray(data?.up_masjids))
})
