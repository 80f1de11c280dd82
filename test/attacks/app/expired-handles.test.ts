// Whoever has found a handle after its time: a code, a reference, a link, an invitation, a key of a repeated request, a cursor. It opens
// nothing, however often it is tried, and tells no more than one that never was; nor once housekeeping has removed its row.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { startSession } from '../../../src/accounts/sessions.ts'
import { sha256 } from '../../../src/base/secrets.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { callFor, tokensFor } from '../../mcp/use-mcp.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey, makeUser, PASSWORD } from '../../support/apps.ts'
import { decideDevice, personWith, pollDevice, startDevice, typeCode, waitInterval } from '../../support/device.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  basic,
  type Flow,
  get,
  getAuthorize,
  getCode,
  getTokens,
  locationOf,
  makeFlow,
  makePerson,
  makePkce,
  postForm,
  postToken,
  readConsentForm,
  refresh,
} from '../../support/oauth.ts'
import { createPerson } from '../../support/person.ts'

let flow: Flow
let masjid: Masjid
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running, { kind: 'confidential', deviceFlow: 'on' })
  masjid = await makeMasjid(running.service.database)
})
const database = () => minaret().service.database
const base = () => minaret().baseUrl
const person = () => createPerson(base())

interface Handle {
  /** @returns whether it opened what it is for. */
  readonly use: () => Promise<boolean>
  /** As if its time were over. */
  readonly expire: Sql | readonly Sql[]
}

const past = sql`now() - interval '1 second'`
const tokenOn = (text: string): string => /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
const ok = async (response: Promise<Response>): Promise<boolean> => (await response).status === 200

const pushed = async () => {
  const response = await postForm(`${base()}/oauth/par`, authorizeParameters(flow.app, makePkce()), basic(flow.app))
  return ((await response.json()) as { request_uri: string }).request_uri
}

/** From a link in a mail; `accept` follows it to the end. */
const linkTo = async (email: string): Promise<string> => (await lastMailTo(database(), email)).link
const shows = async (link: string, who = person()): Promise<boolean> => (await who.get(link)).status === 200

const handles: Readonly<Record<string, () => Promise<Handle>>> = {
  'a code': async () => {
    const { form, headers } = await getCode(minaret(), flow)
    return {
      use: () => ok(postToken(minaret(), form, headers)),
      expire: sql`update minaret.authorization_codes set expires_at = ${past} where code_hash = ${sha256(form.code ?? '')}`,
    }
  },
  'the reference of a pushed request': async () => {
    const uri = await pushed()
    const asked = new URLSearchParams({ client_id: flow.app.clientId, request_uri: uri })
    return {
      use: async () => (await getAuthorize(minaret(), asked, flow.cookie)).status === 303,
      expire: sql`update minaret.authorization_requests set expires_at = ${past} where app_id = ${flow.app.id}`,
    }
  },
  'the page of a consent': async () => {
    const parameters = authorizeParameters(flow.app, makePkce(), { parameters: { prompt: 'consent' } })
    const location = locationOf(await getAuthorize(minaret(), parameters, flow.cookie))
    const form = await readConsentForm(await get(location.href, flow.cookie))
    return {
      use: async () =>
        (await postForm(`${base()}/oauth/consent`, { ...form, decision: 'allow' }, { cookie: flow.cookie })).status ===
        303,
      expire: sql`update minaret.authorization_requests set expires_at = ${past} where app_id = ${flow.app.id}`,
    }
  },
  'a device code that was allowed': async () => {
    const codes = await startDevice(minaret(), flow.app)
    await decideDevice(personWith(minaret(), flow.cookie), codes.user_code)
    return {
      use: async () => {
        await waitInterval(minaret(), codes)
        return ok(pollDevice(minaret(), flow.app, codes.device_code))
      },
      expire: sql`update minaret.device_codes set expires_at = ${past} where user_code = ${codes.user_code.replace('-', '')}`,
    }
  },
  'the code that a device shows': async () => {
    const codes = await startDevice(minaret(), flow.app)
    return {
      use: async () => (await typeCode(personWith(minaret(), flow.cookie), codes.user_code)).location !== undefined,
      expire: sql`update minaret.device_codes set expires_at = ${past} where user_code = ${codes.user_code.replace('-', '')}`,
    }
  },
  'a refresh token': async () => {
    const tokens = await getTokens(minaret(), flow)
    return {
      use: () => ok(refresh(minaret(), flow.app, tokens.refresh_token)),
      expire: sql`update minaret.refresh_tokens set idle_expires_at = ${past} where token_hash = ${sha256(tokens.refresh_token)}`,
    }
  },
  'a link that confirms an address': async () => {
    const email = `new-${crypto.randomUUID()}@example.org`
    await person().submit('/sign-up', '/sign-up', { name: 'Newcomer', email, password: PASSWORD })
    const link = await linkTo(email)
    return { use: () => shows(link), expire: sql`update minaret.mail_tokens set expires_at = ${past}` }
  },
  'a link to choose a password': async () => {
    const { email } = await makeUser(database())
    await person().submit('/forgot-password', '/forgot-password', { email })
    const link = await linkTo(email)
    return { use: () => shows(link), expire: sql`update minaret.mail_tokens set expires_at = ${past}` }
  },
  'an invitation to look after a masjid': async () => {
    const manager = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const invited = await makePerson(database())
    const page = `/staff/${masjid.slug}/team`
    await manager.submit(page, `${page}/invite`, { email: invited.email, capabilities: 'events' })
    const [link, guest] = [await linkTo(invited.email), await visitAs(minaret(), invited)]
    const { text } = await guest.get(link)
    return {
      use: async () => (await guest.post(link, { anti_forgery: tokenOn(text) })).status === 303,
      expire: sql`
        update minaret.masjid_invitations set created_at = created_at - interval '8 days', expires_at = ${past}
        where accepted_at is null`,
    }
  },
  'an invitation to the team of an app': async () => {
    const [owner, invited] = [await makePerson(database()), await makePerson(database())]
    const { id } = await makeApp(database(), { ownerId: owner.id })
    const page = `/console/apps/${id}/team`
    await (await visitAs(minaret(), owner)).submit(page, `${page}/invite`, { email: invited.email, role: 'developer' })
    const [link, guest] = [await linkTo(invited.email), await visitAs(minaret(), invited)]
    const { text } = await guest.get(link)
    return {
      use: async () =>
        (
          await guest.post(link.split('?')[0] ?? '', {
            anti_forgery: tokenOn(text),
            token: new URL(link, base()).searchParams.get('token') ?? '',
          })
        ).status === 303,
      expire: sql`update minaret.app_invitations set expires_at = ${past}`,
    }
  },
  'a session': async () => {
    const user = await makePerson(database())
    const session = await startSession(database(), user.id, { address: undefined, userAgent: undefined })
    return {
      use: async () => (await get(`${base()}/account`, `minaret_session=${session}`)).status === 200,
      expire: sql`update minaret.sessions set expires_at = ${past} where user_id = ${user.id}`,
    }
  },
  'a key, while it is in memory': async () => {
    const app = await makeApp(database())
    const { key, id } = await makeKey(database(), { appId: app.id, expiresAt: new Date(Date.now() + 3_600_000) })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return {
      use: () => ok(fetch(`${base()}/v1/graphql`, { method: 'POST', headers, body: '{"query":"{ __typename }"}' })),
      expire: sql`
        with told as (select pg_notify('minaret_apps', ${app.id}))
        update minaret.api_keys set expires_at = ${past} from told where id = ${id}`,
    }
  },
  'the handle of a change that was tried': async () => {
    const staff = await makeStaff(database(), { masjid, capabilities: ['announcements'] })
    const { access_token: token } = await tokensFor(minaret(), staff)
    const sent = { masjid: masjid.slug, title: `Title ${crypto.randomUUID()}` }
    const tried = await callFor(base(), 'publish_announcement', sent, token)
    const { handle } = tried.structuredContent
    return {
      use: async () => (await callFor(base(), 'publish_announcement', { ...sent, handle }, token)).isError !== true,
      expire: [
        sql`alter table minaret.change_handles disable trigger change_handles_keep`,
        sql`update minaret.change_handles set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
          where used_at is null`,
        sql`alter table minaret.change_handles enable trigger change_handles_keep`,
      ],
    }
  },
  'a link to download one’s data': async () => {
    const { email, id } = await makeUser(database())
    const owner = person()
    await owner.signIn(email, PASSWORD)
    const { text } = await owner.submit('/account/data', '/account/data/export', {})
    const link = (/href="(\/account\/data\/download[^"]*)"/.exec(text)?.[1] ?? '')
      .replaceAll('&#61;', '=')
      .replaceAll('&amp;', '&')
    return {
      use: async () => (await owner.get(link)).status === 200,
      expire: sql`update minaret.data_exports set expires_at = ${past} where user_id = ${id}`,
    }
  },
}

describe('after its time', () => {
  for (const [what, make] of Object.entries(handles))
    test(`nothing is opened by ${what}`, async () => {
      const good = await make()
      assert.equal(await good.use(), true, 'in time')
      const { use, expire } = await make()
      for (const statement of [expire].flat()) await database().run(statement)
      for (let time = 0; time < 2; time += 1) assert.equal(await use(), false)
      assert.deepEqual(await Promise.all([use(), use(), use()]), [false, false, false])
    })
})

test('a cursor of a row that is gone, or was another reader’s, shows nothing but what its bearer may see now', async () => {
  const other = await makeMasjid(database())
  for (const [place, names] of [
    [masjid, ['a', 'c']],
    [other, ['b', 'd']],
  ] as const)
    for (const name of names)
      await database().run(sql`insert into ua_members (masjid_id, given_name) values (${place.id}, ${name})`)
  const keyOf = async (...own: readonly string[]): Promise<string> => {
    const app = await makeApp(database(), { scopes: dataScopes, masjids: { only: own, own } })
    return (await makeKey(database(), { appId: app.id, scopes: dataScopes })).key
  }
  const [wide, narrow, without] = [
    await keyOf(masjid.id, other.id),
    await keyOf(other.id),
    (await makeKey(database(), { appId: (await makeApp(database())).id })).key,
  ]
  const query = `query ($after: String) {
    ua_members_connection(first: 1, after: $after, order_by: {given_name: asc}, where: {given_name: {_in: ["a", "b", "c", "d"]}}) {
      edges { cursor node { given_name } }
    }
  }`
  const ask = async (key: string, after?: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${base()}/v1/relay`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables: { after } }),
    })
    return response.json() as Promise<{
      data?: { ua_members_connection: { edges: { cursor: string; node: { given_name: string } }[] } }
    }>
  }
  const [first] = (await ask(wide)).data?.ua_members_connection.edges ?? []
  assert.equal(first?.node.given_name, 'a')
  const namesAfter = async (key: string) =>
    (await ask(key, first?.cursor)).data?.ua_members_connection.edges.map(({ node }) => node.given_name)
  assert.deepEqual(
    [await namesAfter(wide), await namesAfter(narrow), await namesAfter(without)],
    [['b'], ['b'], undefined],
  )
  await database().run(sql`update ua_members set deleted_at = now() where given_name in ('a', 'b')`)
  assert.deepEqual([await namesAfter(wide), await namesAfter(narrow)], [['c'], ['d']])
})
