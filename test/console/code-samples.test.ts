// The code samples of the console work when pasted: they contain the app's own ids, and only the key or secret has to be filled in.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataScopes } from '../../src/access/scopes.ts'
import { type App, findApp } from '../../src/apps/app.ts'
import { KEY_PLACEHOLDER, keySample, tokenSample } from '../../src/site/console/code-samples.ts'
import { firstQueryFor } from '../../src/site/console/first-query.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

const missing = (program: string): string | false =>
  spawnSync(program, ['--version']).status === 0 ? false : `There is no ${program} on this machine.`

const run = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr))))
  })

/** Pasted into its own file. */
const runFile = async (program: string, name: string, text: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-sample-'))
  try {
    writeFileSync(join(folder, name), text)
    return await run(program, [join(folder, name)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Made {
  readonly app: App
  readonly key: string
  readonly secret: string
}

const make = async (): Promise<Made> => {
  const { database } = minaret().service
  const { id, clientSecret } = await makeApp(database, { kind: 'confidential' })
  const app = await findApp(database, id)
  assert.ok(app)
  return { app, key: (await makeKey(database, { appId: id })).key, secret: clientSecret }
}

const samplesWithKey = ({ app, key }: Made) => {
  const { curl, typescript, python } = keySample(app, minaret().baseUrl)
  const put = (text: string): string => text.replaceAll(KEY_PLACEHOLDER, key)
  return { curl: put(curl), typescript: put(typescript), python: put(python) }
}

const samplesWithSecret = ({ app, secret }: Made) => {
  const { curl, typescript, python } = tokenSample(app, minaret().baseUrl)
  const put = (text: string): string => text.replaceAll('YOUR_CLIENT_SECRET', secret)
  return { curl: put(curl), typescript: put(typescript), python: put(python) }
}

test('curl', { skip: missing('curl') }, async () => {
  const made = await make()
  assert.match(await run('sh', ['-c', samplesWithKey(made).curl]), /"data":\s*\{\s*"up_masjids"/)
  assert.match(await run('sh', ['-c', samplesWithSecret(made).curl]), /"access_token"/)
})

test('TypeScript', async () => {
  const made = await make()
  assert.match(await runFile(process.execPath, 'sample.mts', samplesWithKey(made).typescript), /up_masjids/)
  const token = `${samplesWithSecret(made).typescript}\nconsole.log(access_token)`
  assert.match(await runFile(process.execPath, 'sample.mts', token), /^eyJ/)
})

test('Python', { skip: missing('python3') }, async () => {
  const made = await make()
  assert.match(await runFile('python3', 'sample.py', samplesWithKey(made).python), /up_masjids/)
  assert.match(await runFile('python3', 'sample.py', samplesWithSecret(made).python), /^eyJ/)
})

for (const scope of dataScopes)
  test(`the first query for ${scope} works`, async () => {
    const { database } = minaret().service
    const { id } = await makeApp(database, { scopes: [scope] })
    const { key } = await makeKey(database, { appId: id, scopes: [scope] })
    const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: firstQueryFor([scope]) }),
    })
    const { errors } = (await response.json()) as { errors?: unknown }
    assert.deepEqual([response.status, errors], [200, undefined])
  })
