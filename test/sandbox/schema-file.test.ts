import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildClientSchema, buildSchema, type IntrospectionQuery, printSchema } from 'graphql'
import { makeApp, makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const project = fileURLToPath(new URL('../../', import.meta.url))

const file = async (url: string, key?: string): Promise<string> => {
  const response = await fetch(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 200)
  return response.text()
}

test('the sandbox gives everyone the whole schema, identically as SDL and by introspection', async () => {
  const sdl = await file(`${minaret().sandboxUrl}/v1/schema.graphql`)
  const json = JSON.parse(await file(`${minaret().sandboxUrl}/v1/schema.json`)) as { data: IntrospectionQuery }
  assert.equal(printSchema(buildClientSchema(json.data)), printSchema(buildSchema(sdl)))
  for (const table of ['up_masjids', 'ua_donations', 'pc_prayer_times']) assert.match(sdl, new RegExp(`type ${table} `))
  assert.match(sdl, /Masjids: where they are, what they offer/, 'comments are descriptions')
})

test('the main endpoint gives the schema that the credential may read, and nothing without one', async () => {
  const { baseUrl, service } = minaret()
  for (const name of ['schema.graphql', 'schema.json']) assert.equal((await fetch(`${baseUrl}/v1/${name}`)).status, 401)
  const app = await makeApp(service.database, { scopes: ['masjid:read', 'donations:read'] })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: ['masjid:read'] })
  const sdl = await file(`${baseUrl}/v1/schema.graphql`, key)
  assert.match(sdl, /type up_masjids /)
  assert.doesNotMatch(sdl, /ua_donations|pc_prayer_times/)
})

test('a cached copy is revalidated by its ETag', async () => {
  const url = `${minaret().sandboxUrl}/v1/schema.graphql`
  const etag = (await fetch(url)).headers.get('etag') ?? ''
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304)
})

const guide = readFileSync(new URL('../../docs/guides/typed-clients.md', import.meta.url), 'utf8')

/** The blocks of the guide that are files: their first line is the name. */
const filesOfGuide = (): ReadonlyMap<string, string> =>
  new Map(
    [...guide.matchAll(/```\w+\n(?:\/\/|#) (\S+\.\w+)\n(.*?)```/gs)].map(([, name = '', text = '']) => [
      name,
      text.replaceAll('http://localhost:3001', minaret().sandboxUrl),
    ]),
  )

const runIn = (folder: string, program: string, ...words: string[]) =>
  promisify(execFile)(process.execPath, [program, ...words], { cwd: folder })

const tsc = join(project, 'node_modules/typescript/bin/tsc')
const compilerOptions = {
  ...{ noEmit: true, strict: true, target: 'esnext', module: 'nodenext' },
  ...{ allowImportingTsExtensions: true, types: [] },
}

/** Inside the project, so that the packages of the guide are found. */
const follow = async (changes: Readonly<Record<string, (text: string) => string>>): Promise<string> => {
  const folder = mkdtempSync(join(project, 'node_modules', '.codegen-'))
  try {
    for (const [name, text] of filesOfGuide()) writeFileSync(join(folder, name), changes[name]?.(text) ?? text)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await runIn(folder, 'codegen.mjs')
    await runIn(folder, tsc, '-p', folder)
    return ''
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return `${stdout}${stderr}` || String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the guide to typed clients works as written; a wrong column fails, in the query and in the program', async () => {
  assert.deepEqual([...filesOfGuide().keys()], ['masjids.graphql', 'add-event.graphql', 'codegen.mjs', 'program.ts'])
  assert.equal(await follow({}), '')
  assert.match(await follow({ 'program.ts': text => text.replace('masjid.name', 'masjid.nick_name') }), /nick_name/)
  assert.match(await follow({ 'masjids.graphql': text => text.replace('name', 'nick_name') }), /nick_name/)
})

test('in the guide, a mutation is checked too: what it sends, what it returns, and its values', async () => {
  const program = (from: string, to: string) => follow({ 'program.ts': text => text.replace(from, to) })
  assert.match(await program('title: ', 'going_count: 3, title: '), /going_count/, 'a column that nobody sends')
  assert.match(
    await program("category: 'lecture'", "category: 'party'"),
    /party/,
    'a value that its type does not have',
  )
  assert.match(await program('insert_up_events_one?.title', 'insert_up_events_one.title'), /possibly 'null'/)
  const mutation = (from: string, to: string) => follow({ 'add-event.graphql': text => text.replace(from, to) })
  assert.match(await mutation('up_events_pkey', 'up_events_key'), /up_events_key/)
  assert.match(await mutation('starts_local]', 'going_count]'), /going_count/)
})

test('the guide names the versions tested here', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const tested = { ...dependencies, ...devDependencies }
  const named = [...guide.matchAll(/[ `](@?[\w/-]+)@(\d[\d.]*\d)/g)]
  assert.equal(named.length, 6)
  for (const [, name = '', version] of named) assert.equal(tested[name], version, name)
})
