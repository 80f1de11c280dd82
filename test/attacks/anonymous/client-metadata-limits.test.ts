// Anybody can make the service fetch documents: how often, for how long, how much of them, and what is kept are bounded.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Fault } from '../../../src/base/fault.ts'
import { sql } from '../../../src/db/sql.ts'
import { fetchMetadata } from '../../../src/oauth/self-described/fetch-metadata.ts'
import { documentFor, type MetadataHost, openMetadataHost } from '../../mcp/metadata-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { assertPage, authorizeParameters, makePkce, within } from '../../support/oauth.ts'
import { startWatch } from '../../support/waited.ts'

let host: MetadataHost
let minaret: TestMinaret
before(async () => {
  host = await openMetadataHost()
  minaret = await startTestMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' }, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await host.close()
})

const open = (clientId: string, from: string): Promise<Response> => {
  const app = { id: '', clientId, secret: '', redirectUri: 'https://assistant.example.org/callback' }
  const parameters = authorizeParameters(app, makePkce(), { scope: 'masjid:read' })
  return fetch(`${minaret.baseUrl}/oauth/authorize?${parameters}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
  })
}
const served = (clientId: string, headers: Readonly<Record<string, string>> = {}): string => {
  host.serve(clientId, documentFor(clientId), headers)
  return clientId
}

const TRIES = 30

describe('how often documents are fetched', () => {
  test('from one address: only so often, whatever the host; others are not affected', async () => {
    for (let count = 0; count < TRIES; count += 1) {
      host.names.set(`h${count}.test`, () => [{ address: '10.0.0.1', family: 4 }])
      await assertPage(await open(`https://h${count}.test/a.json`, '198.51.100.1'), 'a private address')
    }
    const before = host.requests.length
    const wanted = served('https://other.test/wanted.json')
    assert.equal((await open(wanted, '198.51.100.1')).status, 429)
    assert.equal(host.requests.length, before)
    assert.equal((await open(wanted, '198.51.100.2')).status, 303)
    // What is known already needs no document, and is open to the first address too.
    assert.equal((await open(wanted, '198.51.100.1')).status, 303)
  })

  test('from one host: only so often, whoever asks; its known apps go on', async () => {
    const known = served('https://logo.test/known.json')
    assert.equal((await open(known, '203.0.113.201')).status, 303)
    for (let count = 1; count < TRIES; count += 1)
      await assertPage(await open(`https://logo.test/${count}.json`, `203.0.113.${count}`), 'no document')
    const before = host.requests.length
    const response = await open(served('https://logo.test/one-more.json'), '203.0.113.200')
    assert.equal(response.status, 429)
    assert.equal(host.requests.length, before)
    await minaret.service.database.run(sql`
      update minaret.apps set fresh_until = now() - interval '1 minute' where client_id = ${known}`)
    await within(30_000, 'the document of the known app is read again', async () => {
      assert.equal((await open(known, '203.0.113.202')).status, 303)
      return host.requests.length > before
    })
  })
})

describe('how much and how long', () => {
  const at = { address: 'https://logo.test/slow.json', host: 'logo.test' }
  const isRefused = (error: unknown): boolean => error instanceof Fault && error.code === 'invalid_request'

  test('a host that says nothing, or one byte after the other, is given up after two seconds', async () => {
    const { timeoutMs: _ofTests, ...dial } = host.dial
    const timers: NodeJS.Timeout[] = []
    const slow: Parameters<typeof host.answers.set>[1][] = [
      () => undefined,
      response => {
        response.writeHead(200, { 'content-type': 'application/json' })
        timers.push(setInterval(() => response.write(' '), 50))
      },
    ]
    for (const answer of slow) {
      host.answers.set(at.address, answer)
      const tookMs = startWatch()
      await assert.rejects(fetchMetadata(at, dial), isRefused)
      const took = tookMs()
      assert.ok(took < 6000, `${took} ms`)
    }
    for (const timer of timers) clearInterval(timer)
  })

  test('a document that grows while it is read is refused at 5 KB', async () => {
    let sent = 0
    host.answers.set(at.address, response => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = (): void => {
        sent += 1024
        if (!response.destroyed && sent < 64 * 1024 * 1024) response.write(' '.repeat(1024), more)
      }
      more()
    })
    await assert.rejects(fetchMetadata(at, host.dial), isRefused)
    assert.ok(sent < 64 * 1024 * 1024, 'it was read to its end')
  })
})

describe('what is kept', () => {
  test('a document is believed for as long as its headers say, within five minutes and a day', async () => {
    const cases = [
      ['max-age=0', 300],
      ['no-store', 300],
      ['no-cache, max-age=9999', 300],
      ['max-age=7200', 7200],
      ['public, max-age=999999999', 86_400],
      ['nonsense', 3600],
      ['max-age=-5', 3600],
    ] as const
    for (const [index, [header, seconds]] of cases.entries()) {
      const clientId = served(`https://other.test/kept-${index}.json`, { 'cache-control': header })
      assert.equal((await open(clientId, `192.0.2.${index}`)).status, 303, header)
      const row = await minaret.service.database.first<{ seconds: number }>(sql`
        select extract(epoch from fresh_until - approved_at)::int as seconds from minaret.apps where client_id = ${clientId}`)
      assert.equal(row?.seconds, seconds, header)
    }
  })

  test('a host has at most 200 apps, however many introduce themselves at once', async () => {
    const { database } = minaret.service
    const count = async (): Promise<number> =>
      (
        await database.first<{ count: number }>(sql`
        select count(*)::int from minaret.apps where host = 'other.test'`)
      )?.count ?? 0
    await database.run(sql`insert into minaret.app_hosts (host) values ('other.test') on conflict do nothing`)
    await database.run(sql`
      insert into minaret.apps (client_id, host, name, description, kind, redirect_uris, requested_scopes, plain_claims, fresh_until)
      select 'https://other.test/filler-' || number || '.json', 'other.test', 'Filler', 'Filler', 'public',
        '{https://assistant.example.org/callback}', minaret.scopes_of_host('other.test'), '{}', now()
      from generate_series(1, ${199 - (await count())}::int) as number`)
    assert.equal(await count(), 199)
    const responses = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        open(served(`https://other.test/late-${index}.json`), `192.0.2.${100 + index}`),
      ),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 400, 400, 400])
    assert.equal(await count(), 200)
  })
})
