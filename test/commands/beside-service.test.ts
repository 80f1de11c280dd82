// Commands beside a running service with its embedded database: found through DATA_DIR, and effective immediately.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningProcess, runCommand, runMinaret, startMinaretProcess } from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

let folder: { path: string; remove(): void }
let environment: { DATA_DIR: string; DEMO_DATA: string }
let service: RunningProcess | undefined

before(async () => {
  folder = await temporaryUsedFolder()
  environment = { DATA_DIR: folder.path, DEMO_DATA: 'off' }
  service = await startMinaretProcess(environment)
})
after(async () => {
  await service?.stop()
  folder.remove()
})

const json = async (...line: string[]): Promise<Record<string, string>> => {
  const { status, stdout, stderr } = await runCommand([...line, '--json'], environment)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const query = async (key: string): Promise<number> => {
  const response = await fetch(`${service?.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })
  await response.arrayBuffer()
  return response.status
}

test('user, app and key are created while the service runs, and a suspension takes effect at once', async () => {
  await json('user', 'create', '--email', 'owner@example.org', '--name', 'Owner')
  const about = ['--owner', 'owner@example.org', '--name', 'Board', '--description', 'A board.']
  const app = await json('app', 'create', ...about, '--kind', 'confidential', '--scope', 'masjid:read', '--approve')
  const clientId = String(app.client_id)
  const { key } = await json('key', 'create', '--client-id', clientId, '--scope', 'masjid:read')
  assert.equal(await query(String(key)), 200)
  const token = await fetch(`${service?.baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${app.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  assert.equal(token.status, 200)
  // As a process: exiting takes longer than the notification, so there is nothing to wait for.
  const suspended = await runMinaret(['app', 'suspend', '--client-id', clientId], environment)
  assert.equal(suspended.status, 0, suspended.stderr)
  assert.equal(await query(String(key)), 401)
})

test('a command says which installation it works on, and where another service runs', async () => {
  const beside = await runMinaret(['app', 'list', '--json'], environment)
  assert.equal(beside.stderr, `Installation: ${folder.path}, beside a service at ${service?.baseUrl}\n`)
  const other = await temporaryUsedFolder()
  try {
    const alone = await runCommand(['app', 'list', '--json'], { ...environment, DATA_DIR: other.path })
    assert.match(alone.stderr, /^Installation: \S+, which no service uses\. /)
    assert.ok(alone.stderr.includes(other.path))
    assert.ok(alone.stderr.includes(String(service?.baseUrl)), alone.stderr)
    assert.match(alone.stderr, /Another data folder is in use by .*: set DATA_DIR to that folder/)
    assert.deepEqual(JSON.parse(alone.stdout), JSON.parse(beside.stdout.replace(/\[.*\]/s, '[]')))
  } finally {
    other.remove()
  }
})
