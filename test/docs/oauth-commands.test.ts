// Every command of docs/oauth.md, run as written, and what it has to name.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { grantTypes } from '../../src/base/grant-types.ts'
import { useMinaret } from '../support/minaret.ts'
import { basic, getCode, getTokens, makeClient, makeFlow, makePkce, postToken, readTokens } from '../support/oauth.ts'

const minaret = useMinaret()

const document = readFileSync(new URL('../../docs/oauth.md', import.meta.url), 'utf8')

const commands = [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)

const runShell = (text: string, environment: Record<string, string>): Promise<{ status: number; output: string }> =>
  new Promise(resolve => {
    const shell = spawn('sh', ['-eu', '-c', text], { env: { ...process.env, ...environment } })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', chunk => (output += String(chunk)))
    shell.on('close', status => resolve({ status: status ?? 1, output }))
  })

/** Each command gets unused credentials. */
const freshVariables = async (): Promise<Record<string, string>> => {
  const running = minaret()
  const app = await makeClient(running.service.database, { kind: 'confidential' })
  const flow = await makeFlow(running)
  const { form } = await getCode(running, flow)
  const tokens = await getTokens(running, flow)
  const own = await readTokens(await postToken(running, { grant_type: 'client_credentials' }, basic(app)))
  return {
    BASE_URL: running.baseUrl,
    CLIENT_ID: app.clientId,
    CLIENT_SECRET: app.secret,
    DEVICE_CLIENT_ID: (await makeClient(running.service.database, { deviceFlow: 'on' })).clientId,
    PUBLIC_CLIENT_ID: flow.app.clientId,
    REDIRECT_URI: flow.app.redirectUri,
    CODE: form.code ?? '',
    CODE_VERIFIER: form.code_verifier ?? '',
    CODE_CHALLENGE: makePkce().challenge,
    STATE: 'a-state',
    ACCESS_TOKEN: tokens.access_token,
    REFRESH_TOKEN: tokens.refresh_token,
    APP_TOKEN: own.access_token,
  }
}

test('every command of docs/oauth.md works as written', async () => {
  assert.ok(commands.length >= 7)
  for (const command of commands) {
    const { status, output } = await runShell(command, await freshVariables())
    assert.equal(status, 0, `${command}\n${output}`)
    assert.doesNotMatch(output, /"error"|"active":false/, command)
  }
})

test('docs/oauth.md names every grant type', () => {
  assert.deepEqual(
    grantTypes.filter(name => !document.includes(`grant_type=${name}`)),
    [],
  )
})
