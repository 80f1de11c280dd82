// Anybody can name an address as client_id: it must not lead into our network, nor anywhere that was not checked.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import {
  CLIENT_ID,
  documentFor,
  type MetadataHost,
  OTHER_CLIENT_ID,
  openMetadataHost,
} from '../../mcp/metadata-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { assertPage, authorizeParameters, getAuthorize, makePerson, makePkce } from '../../support/oauth.ts'

let host: MetadataHost
let minaret: TestMinaret
let off: TestMinaret
before(async () => {
  host = await openMetadataHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
  off = await startTestMinaret({ SELF_DESCRIBED_APPS: 'off' }, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await off.stop()
  await host.close()
})
const open = (clientId: string, at = minaret): Promise<Response> => {
  const app = { id: '', clientId, secret: '', redirectUri: 'https://assistant.example.org/callback' }
  return getAuthorize(at, authorizeParameters(app, makePkce(), { scope: 'masjid:read' }))
}
const refused = async (clientId: string): Promise<void> => {
  const before = host.requests.length
  await assertPage(await open(clientId), clientId)
  assert.equal(host.requests.length, before, `${clientId} was asked for`)
}

describe('the address of a document', () => {
  test('is https at a public name with a path, in one spelling only; everything else is never asked for', async () => {
    const hostile = [
      'http://logo.test/a.json',
      'https://logo.test',
      'https://127.0.0.1/a.json',
      'https://[::1]/a.json',
      'https://2130706433/a.json',
      'https://0x7f.1/a.json',
      'https://localhost/a.json',
      'https://logo.test:8443/a.json',
      'https://user@logo.test/a.json',
      'https://logo.test@evil.test/a.json',
      'https://logo.test/a/../b.json',
      'https://logo.test/%2e%2e/b.json',
      'https://logo.test/a.json#x',
      'https://LOGO.test/a.json',
      'https://logo.test\\a.json',
      'https://logo.test/\u202ea.json',
      'file:///etc/passwd',
      `https://logo.test/${'a'.repeat(1000)}`,
    ]
    for (const clientId of hostile) await refused(clientId)
  })

  test('never leads to a private network: by its name, by one of several addresses, or by what the name becomes later', async () => {
    const inside = ['10.0.0.1', '192.168.1.1', '169.254.169.254', '172.16.0.1', '100.64.0.1']
    const insideToo = [
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      'fe80::1',
      'fd00::1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
    ]
    for (const address of [...inside, ...insideToo]) {
      host.names.set('other.test', () => [{ address, family: address.includes(':') ? 6 : 4 }])
      await refused(OTHER_CLIENT_ID)
    }
    host.names.set('other.test', () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ])
    await refused(OTHER_CLIENT_ID)
    // Rebinding: the first answer is checked and pinned; nobody asks a second time.
    let asked = 0
    host.names.set('other.test', () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    })
    host.serve(OTHER_CLIENT_ID, documentFor(OTHER_CLIENT_ID))
    const response = await open(OTHER_CLIENT_ID)
    assert.equal(response.status, 303)
    assert.equal(asked, 1)
    host.names.delete('other.test')
  })

  test('does not redirect', async () => {
    const clientId = 'https://logo.test/moved.json'
    host.serve(CLIENT_ID, documentFor(clientId))
    host.answers.set(clientId, response => response.writeHead(302, { location: CLIENT_ID }).end())
    await assertPage(await open(clientId), 'a redirect')
    assert.ok(!host.requests.includes(CLIENT_ID))
  })

  test('is asked for once by many at the same time', async () => {
    const clientId = 'https://logo.test/crowd.json'
    host.serve(clientId, documentFor(clientId))
    const responses = await Promise.all(Array.from({ length: 20 }, () => open(clientId)))
    assert.ok(responses.every(({ status }) => status === 303))
    assert.equal(host.requests.filter(address => address === clientId).length, 1)
  })

  test('is not asked for if apps may not describe themselves', async () => {
    const before = host.requests.length
    await assertPage(await open(CLIENT_ID, off), 'switched off')
    assert.equal(host.requests.length, before)
    const discovery = await (await fetch(`${off.baseUrl}/.well-known/openid-configuration`)).json()
    assert.equal((discovery as Record<string, unknown>).client_id_metadata_document_supported, false)
  })
})

describe('the rights of an app that describes itself', () => {
  test('are those of its host, whatever is written into its row', async () => {
    const clientId = 'https://logo.test/greedy.json'
    host.serve(clientId, documentFor(clientId))
    assert.equal((await open(clientId)).status, 303)
    const { database } = minaret.service
    await database.run(sql`
      update minaret.apps set scopes = '{masjid:write,members:write}', own_rows = false where client_id = ${clientId}`)
    const row = await database.first<{ scopes: string[]; own_rows: boolean }>(sql`
      select scopes, own_rows from minaret.apps where client_id = ${clientId}`)
    assert.equal(row?.own_rows, true)
    assert.deepEqual(
      row?.scopes.filter(scope => scope.endsWith(':write')),
      [],
    )
    const { id } = await makePerson(database)
    const decide = database.run(sql`
      update minaret.app_hosts set state = 'approved', scopes = '{masjid:write}', decided_at = now(), decided_by = ${id}
      where host = 'logo.test'`)
    await assert.rejects(decide, /only reviewers/)
  })
})
