// The owner's pages: register, test, look at deliveries, send again, change the secret, disable, delete; and the guide beside them.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/db/sql.ts'
import { messageId } from '../../src/webhooks/delivery.ts'
import { makeApp, makePendingApp, makeUser, PASSWORD } from '../support/apps.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { createPerson, decodeHtml, hiddenFieldsOf, type Person, type Shown } from '../support/person.ts'
import { only, openReceiver, type Receiver, verify } from './receiver.ts'
import { letTimePass, PATIENCE_MS, untilStates } from './use-webhooks.ts'

const secretOf = (page: string): string => /whsec_[\w+/=]+/.exec(decodeHtml(page))?.[0] ?? ''

describe('the console', () => {
  let receiver: Receiver
  let minaret: TestMinaret
  let owner: Person
  let appId: string
  let ownerId: string
  before(async () => {
    receiver = await openReceiver()
    minaret = await startTestMinaret()
    const user = await makeUser(database())
    ownerId = user.id
    appId = (await makeApp(database(), { ownerId, scopes: ['masjid:read', 'events:read'] })).id
    owner = createPerson(minaret.baseUrl)
    await owner.signIn(user.email, PASSWORD)
  })
  after(async () => {
    await minaret.stop()
    await receiver.close()
  })
  const database = () => minaret.service.database
  const base = () => `/console/apps/${appId}/webhooks`
  const register = (fields: Record<string, string>) => owner.submit(`${base()}/new`, `${base()}/new`, fields)
  const registered = async (fields: Record<string, string>) => {
    const { status, text } = await register({ tables: 'up_events', ...fields })
    assert.equal(status, 200, text)
    const id = /\/webhooks\/([0-9a-f-]{36})/.exec(text)?.[1] ?? ''
    return { id, path: `${base()}/${id}`, secret: secretOf(text) }
  }

  test('takes an endpoint from its registration to its end', async () => {
    const masjid = await insertMasjid(database())
    const { id, path, secret } = await registered({ url: `${receiver.url}/mine`, description: 'Our calendar' })
    assert.match(secret, /^whsec_/)
    assert.equal(secretOf((await owner.get(path)).text), '', 'the secret is shown once')
    assert.match((await owner.get(base())).text, /Our calendar/)

    const sent = await owner.submit(path, `${path}/test`, {})
    assert.match(String(sent.location), /\/deliveries\/[0-9a-f-]{36}$/)
    const [message] = receiver.at('/mine')
    assert.ok(message)
    verify(message, secret)
    assert.equal(message.event.type, 'minaret.test')
    assert.match((await owner.get(String(sent.location))).text, /Your server accepted it[\s\S]*minaret\.test/)

    receiver.answers.set('/mine', response => void response.writeHead(500).end('<b>not today</b>'))
    const event = await insertEvent(database(), masjid)
    await within(PATIENCE_MS, 'an attempt', async () => receiver.at('/mine').length > 1)
    await within(PATIENCE_MS, 'its record', async () => /500/.test((await owner.get(path)).text))
    assert.match((await owner.get(path)).text, /Nothing has arrived since/)
    receiver.answers.delete('/mine')
    await letTimePass(database(), id)
    const delivered = (await untilStates(database(), id, ['delivered', 'delivered']))[1]
    const details = decodeHtml((await owner.get(`${path}/deliveries/${delivered?.id}`)).text)
    for (const words of [event, '<b>not today</b>', messageId({ id: String(delivered?.id) })])
      assert.ok(details.includes(words), words)

    const again = `${path}/deliveries/${delivered?.id}`
    assert.equal((await owner.submit(again, `${again}/replay`, {})).location, `${again}?done=replayed`)
    const sameId = () => receiver.at('/mine').filter(one => one.id === messageId({ id: String(delivered?.id) }))
    await within(PATIENCE_MS, 'the replay', async () => sameId().length === 3)
    await untilStates(database(), id, ['delivered', 'delivered'])
    assert.equal((await owner.submit(path, `${path}/replay`, { since: 'yesterday' })).status, 422)
    assert.equal(
      (await owner.submit(path, `${path}/replay`, { since: '2026-01-01T00:00' })).location,
      `${path}?done=replayed`,
    )
    await within(PATIENCE_MS, 'the other replay', async () => sameId().length === 4)
    await untilStates(database(), id, ['delivered', 'delivered'])

    const rotated = await owner.submit(`${path}/rotate`, `${path}/rotate`, {})
    const second = secretOf(rotated.text)
    assert.ok(second !== '' && second !== secret)
    await owner.submit(path, `${path}/test`, {})
    const last = receiver.at('/mine').at(-1)
    assert.ok(last)
    for (const either of [secret, second]) verify(last, either)

    assert.equal((await owner.submit(path, `${path}/disable`, {})).location, `${path}?done=disabled`)
    assert.match((await owner.get(path)).text, /You disabled this endpoint/)
    assert.equal((await owner.submit(path, `${path}/enable`, {})).location, `${path}?done=enabled`)
    const edit = { url: `${receiver.url}/other`, tables: 'up_masjids' }
    assert.equal((await owner.submit(`${path}/edit`, `${path}/edit`, edit)).location, `${path}?done=saved`)
    assert.match((await owner.get(path)).text, /up_masjids/)
    assert.equal((await owner.submit(`${path}/delete`, `${path}/delete`, {})).location, `${base()}?done=deleted`)
    assert.equal((await owner.get(path)).status, 404)
  })

  /** A page that brings its copy buttons lets their script run. */
  const assertCopies = (what: string, { headers, text }: Shown): void => {
    assert.match(text, /<script src="[^"]*copy[^"]*" defer data-copy=/, what)
    assert.match(String(headers.get('content-security-policy')), /script-src 'self'; connect-src 'none'/, what)
  }

  test('lets the script of its copy buttons run on every page that has them', async () => {
    const form = await owner.get(`${base()}/new`)
    assertCopies('the form', form)
    const fields = { ...hiddenFieldsOf(form.text, `${base()}/new`), url: `${receiver.url}/copied`, tables: 'up_events' }
    assertCopies('a refusal', await owner.post(`${base()}/new`, { ...fields, url: 'nowhere' }))
    const created = await owner.post(`${base()}/new`, fields)
    assertCopies('the secret', created)
    const path = `${base()}/${/\/webhooks\/([0-9a-f-]{36})/.exec(created.text)?.[1]}`
    assertCopies('the list', await owner.get(base()))
    assertCopies('the endpoint', await owner.get(path))
    assertCopies('the form of the endpoint', await owner.get(`${path}/edit`))
    assertCopies('a moment that is none', await owner.submit(path, `${path}/replay`, { since: 'yesterday' }))
    const { location } = await owner.submit(path, `${path}/test`, {})
    assertCopies('a delivery', await owner.get(String(location)))
    assertCopies('another secret', await owner.submit(`${path}/rotate`, `${path}/rotate`, {}))
    await owner.submit(`${path}/delete`, `${path}/delete`, {})
  })

  const countEndpoints = async () =>
    (await database().query(sql`select from minaret.webhook_endpoints where app_id = ${appId}`)).length

  test('registers one endpoint with a form that is sent twice, even at once, and none once that is deleted', async () => {
    const before = await countEndpoints()
    const hidden = hiddenFieldsOf((await owner.get(`${base()}/new`)).text, `${base()}/new`)
    const fields = { ...hidden, url: `${receiver.url}/once`, tables: 'up_events' }
    const both = await Promise.all([1, 2].map(() => owner.post(`${base()}/new`, fields)))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 303])
    assert.equal(await countEndpoints(), before + 1)
    const again = await owner.post(`${base()}/new`, fields)
    assert.equal(again.location, `${base()}?done=createdBefore`)
    assert.equal(secretOf(again.text), '')
    assert.match((await owner.get(String(again.location))).text, /was added before/)
    const path = `${base()}/${hidden.new_id}`
    await owner.submit(`${path}/delete`, `${path}/delete`, {})
    assert.equal((await owner.post(`${base()}/new`, fields)).status, 303)
    assert.equal(await countEndpoints(), before)
    await assert.rejects(
      database().run(sql`insert into minaret.webhook_ids (id) values (${hidden.new_id})`),
      { constraint: 'webhook_ids_pkey' },
      'the database remembers',
    )
  })

  test('changes a secret once with a form that is sent twice, so that the former one goes on signing', async () => {
    const { path, secret } = await registered({ url: `${receiver.url}/changed-once` })
    const hidden = hiddenFieldsOf((await owner.get(`${path}/rotate`)).text, `${path}/rotate`)
    const changed = await owner.post(`${path}/rotate`, hidden)
    assert.equal((await owner.post(`${path}/rotate`, hidden)).location, `${path}?done=rotatedBefore`)
    await owner.submit(path, `${path}/test`, {})
    const message = receiver.at('/changed-once').at(-1)
    assert.ok(message)
    for (const either of [secret, secretOf(changed.text)]) verify(message, either)
    await owner.submit(`${path}/delete`, `${path}/delete`, {})
  })

  test('names what is wrong with an endpoint, in the language of the page', async () => {
    const faulty = { url: 'http://example.org/', tables: '', masjids: 'nowhere', query: '{ ua_members { id } }' }
    const { status, text } = await register(faulty)
    assert.equal(status, 422)
    for (const words of ['Give an https address', 'Choose at least one table', 'at most 100 ids', 'ua_members'])
      assert.ok(text.includes(words), words)
    assert.match((await register({ ...faulty, tables: 'ua_members' })).text, /may not read one of these tables/)
    assert.match(
      (await register({ ...faulty, query: 'mutation { delete_up_events(where: {}) { affected_rows } }' })).text,
      /Only a query/,
    )
    owner.cookies.set('minaret_language', 'ar')
    assert.match((await register(faulty)).text, /اكتب عنوان https/)
    owner.cookies.set('minaret_language', 'en')
  })

  test('offers live endpoints to approved apps only, and at most ten of them', async () => {
    const pending = await makePendingApp(database(), { ownerId })
    const page = `/console/apps/${pending}/webhooks`
    assert.equal((await owner.get(`${page}/new`)).status, 404)
    assert.equal((await owner.get(`${page}/new?environment=test`)).status, 200)
    const full = (await makeApp(database(), { ownerId, scopes: ['events:read'] })).id
    const form = `/console/apps/${full}/webhooks/new`
    const fields = { url: `${receiver.url}/many`, tables: 'up_events' }
    for (let count = 0; count < 10; count += 1) assert.equal((await owner.submit(form, form, fields)).status, 200)
    assert.equal((await owner.submit(form, form, fields)).status, 409)
    await database().run(sql`delete from minaret.webhook_endpoints where app_id = ${full}`)
  })

  test('limits tests, and a test of a receiver that fails is tried once', async () => {
    receiver.answers.set('/tested', only(500))
    const { id, path } = await registered({ url: `${receiver.url}/tested` })
    const { location } = await owner.submit(path, `${path}/test`, {})
    assert.match((await owner.get(String(location))).text, /It was given up/)
    await untilStates(database(), id, ['dead'])
    for (let count = 0; count < 9; count += 1) await owner.submit(path, `${path}/test`, {})
    assert.equal((await owner.submit(path, `${path}/test`, {})).status, 409)
    assert.equal(receiver.at('/tested').length, 10)
    await owner.submit(`${path}/delete`, `${path}/delete`, {})
  })

  const freePort = (): Promise<number> =>
    new Promise(resolve => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
      })
    })

  const startReceiver = (source: string, environment: Record<string, string>): ChildProcess & { output: string } => {
    const cwd = fileURLToPath(new URL('../../', import.meta.url))
    const env = { PATH: process.env.PATH, ...environment }
    const child = Object.assign(spawn(process.execPath, ['--input-type=module', '-e', source], { cwd, env }), {
      output: '',
    })
    child.stdout?.on('data', piece => (child.output += piece))
    return child
  }

  test('and the receiver of the guide work together', async () => {
    const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
    const source = /```js receiver\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    const port = await freePort()
    const { id, secret, path } = await registered({ url: `http://localhost:${port}/` })
    const child = startReceiver(source, { WEBHOOK_SECRET: secret, PORT: String(port) })
    try {
      const event = await insertEvent(database(), await insertMasjid(database()))
      await within(PATIENCE_MS, 'the event', async () => {
        await letTimePass(database(), id)
        return child.output.includes(event)
      })
      assert.match(child.output, /^up_events\.inserted \{"table":"up_events"/)
    } finally {
      child.kill()
      await owner.submit(`${path}/delete`, `${path}/delete`, {})
    }
  })
})
