// Every address of both listeners, as the service registers them, every form and every tool is sent values that are meant to make work
// without end. A bystander asks all the while and after each, and no answer is a fault of ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { startSession } from '../../../src/accounts/sessions.ts'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import type { ListenerName } from '../../../src/metrics/watching.ts'
import { publicTestKey } from '../../../src/sandbox/public-test-key.ts'
import { send, sendCall, tokensFor } from '../../mcp/use-mcp.ts'
import { sampleOf } from '../../support/holds.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { createPerson, hiddenFieldsOf } from '../../support/person.ts'
import { rounds } from '../../support/rounds.ts'
import { askedNames } from '../asked-names.ts'
import { type Bystander, startBystander } from '../bystander.ts'
import { type Actor, type Everything, makeEverything } from '../everything-there-is.ts'
import { bodyFor, createRouteOf, type Deal, dealer, hostileQuery, inventedPlace } from '../hostile-requests.ts'
import { hostileFile, hostileJson, hostileText } from '../hostile-values.ts'

interface Target {
  readonly listener: ListenerName
  readonly method: string
  readonly url: string
}

/** Of each target. */
const ROUNDS = rounds(1, 4)

let minaret: TestMinaret
let everything: Everything
let deal: Deal
const targets: Target[] = []

before(async () => {
  minaret = await startTestMinaret(
    { SANDBOX_DATA: 'on' },
    {
      onRoutes: (listener, routes) => {
        for (const { method, url, charge } of routes) {
          const isFile = charge.kind === 'free' && charge.because.startsWith('a file')
          if (method !== 'HEAD' && method !== 'OPTIONS' && !isFile) targets.push({ listener, method, url })
        }
      },
    },
  )
  const urlsOf = (method: string): string[] => targets.flatMap(target => (target.method === method ? target.url : []))
  everything = await makeEverything(minaret, {
    ofPage: createRouteOf(urlsOf('GET').filter(url => !url.includes('*'))),
    ofForm: createRouteOf(urlsOf('POST')),
  })
  deal = {
    text: dealer(sampleOf(hostileText, 3000)),
    file: dealer(sampleOf(hostileFile, 30)),
    name: dealer(sampleOf(fc.constantFrom(...askedNames()), 3000)),
  }
})
after(() => minaret.stop())

/** Fails for an answer that is a fault of ours. */
const sendTo = async (bystander: Bystander, what: string, sent: () => Promise<Response>): Promise<Response> => {
  const response = await bystander.during(what.slice(0, 600), sent)
  assert.ok(response.status < 500 || response.status === 503, `${what}: ${response.status}`)
  return response
}

/** To its end, unless it has none. */
const ask = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, { redirect: 'manual', ...init })
  if (/event-stream|multipart\/mixed/.test(response.headers.get('content-type') ?? '')) await response.body?.cancel()
  else await response.arrayBuffer()
  return response
}

interface Visit {
  readonly cookie: string
  readonly token: string
}

/** Signed in, a moment ago. */
const enter = async ({ id }: User): Promise<Visit> => {
  const { database } = minaret.service
  await database.run(sql`update minaret.users set disabled_at = null where id = ${id}`)
  const session = await startSession(database, id, { address: '192.0.2.1', userAgent: 'Chromium' })
  const person = createPerson(minaret.baseUrl)
  person.cookies.set('minaret_session', session)
  const { text } = await person.get('/account')
  const { anti_forgery: token = '' } = hiddenFieldsOf(text, '/account/profile')
  return { cookie: `minaret_session=${session}`, token }
}

const actorFor = (url: string): Actor =>
  everything.actors.find(({ below }) => below.test(url)) ?? (everything.actors.at(-1) as Actor)

const visits = new Map<Actor, Visit>()

const visitOf = async (actor: Actor): Promise<Visit> => {
  const visit = visits.get(actor) ?? (await enter(actor.user))
  visits.set(actor, visit)
  return visit
}

const urlOf = ({ listener }: Target): string => (listener === 'main' ? minaret.baseUrl : minaret.sandboxUrl)

/** Of the public pages and feeds, which nobody has to be led to. */
const publicPlace = (url: string): string | undefined => {
  const { id, slug } = everything.masjid
  return /^\/m\/:slug|^\/v1\/masjids\/:masjid/.test(url) ? url.replace(':slug', slug).replace(':masjid', id) : undefined
}

const hasBody = ({ method }: Target): boolean => method !== 'GET' && method !== 'DELETE'

/** What the service has for whoever has signed in, and in later rounds for strangers. */
const attack = async (bystander: Bystander, target: Target, round: number): Promise<void> => {
  const actor = actorFor(target.url)
  const { pages, forms } = actor.reached
  const form = hasBody(target) ? forms.get(target.url) : undefined
  const real = hasBody(target) ? form?.action : (pages.get(target.url) ?? publicPlace(target.url))
  const invented = round % 2 === 0 ? target.url.replace('/staff/:slug', `/staff/${everything.masjid.slug}`) : target.url
  const path = (round % 2 === 0 ? real : undefined) ?? inventedPlace(invented, deal)
  const { cookie, token } = await visitOf(actor)
  const headers: Record<string, string> = { accept: 'text/html, */*', ...(round % 3 === 2 ? {} : { cookie }) }
  const init: RequestInit = { method: target.method, headers }
  if (hasBody(target)) {
    const { type, content } = bodyFor(target.url, { form, token, round }, deal)
    init.body = content
    if (type !== undefined) headers['content-type'] = type
  }
  const address = urlOf(target) + (hasBody(target) ? path : hostileQuery(path, deal))
  const { status, headers: answered } = await sendTo(bystander, `${target.method} ${address}`, () => ask(address, init))
  // Signed out, erased or disabled by what was sent.
  if (status === 303 && answered.get('location')?.includes('/sign-in')) visits.delete(actor)
}

const attackAll = async (which: (target: Target) => boolean): Promise<void> => {
  const bystander = await startBystander(minaret)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const target of targets.filter(which)) await attack(bystander, target, round)
  bystander.finish()
}

interface Tool {
  readonly name: string
  readonly inputSchema: { readonly properties?: Readonly<Record<string, object>> }
}

const attackTools = async (url: string, token: string, masjid: string): Promise<readonly string[]> => {
  const bystander = await startBystander(minaret)
  const listed = await send(url, { method: 'tools/list' }, { token })
  const { result } = (await listed.json()) as { result: { tools: Tool[] } }
  for (const { name, inputSchema } of result.tools) {
    const properties = Object.entries(inputSchema.properties ?? {})
    const given = fc.record(Object.fromEntries(properties.map(([key, schema]) => [key, hostileJson(schema)])), {
      requiredKeys: [],
    })
    for (const values of sampleOf(given, 6)) {
      const sent = 'masjid' in (inputSchema.properties ?? {}) ? { ...values, masjid } : values
      await sendTo(bystander, `${name} ${JSON.stringify(sent)}`, async () => {
        const response = await sendCall(url, name, sent, token)
        const text = await response.text()
        assert.doesNotMatch(text.slice(0, 500), /internal error/i, name)
        return response
      })
    }
  }
  bystander.finish()
  return result.tools.map(({ name }) => name)
}

describe('whatever is sent', () => {
  test('to tools of the sandbox', async () => {
    const masjids = await fetch(`${minaret.sandboxUrl}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids(limit: 1) { slug } }' }),
    })
    const { data } = (await masjids.json()) as { data: { up_masjids: [{ slug: string }] } }
    assert.ok((await attackTools(minaret.sandboxUrl, publicTestKey, data.up_masjids[0].slug)).length > 10)
  })

  test('to tools of somebody who looks after a masjid', async () => {
    const { user } = actorFor('/staff')
    const { access_token: token } = await tokensFor(minaret, user)
    assert.ok((await attackTools(minaret.baseUrl, token, everything.masjid.slug)).length > 10)
  })

  test('to every address that is asked', async () => {
    assert.ok(targets.length > 400, `${targets.length} routes`)
    await attackAll(target => !hasBody(target))
  })

  test('to every address that takes a body, in its form if it has one', async () => {
    const forms = everything.actors.flatMap(({ reached }) => [...reached.forms.keys()])
    assert.ok(forms.length > 60, `${forms.length} forms were found`)
    await attackAll(hasBody)
  })
})
