// Members of a team who want more than their role, invitations in the wrong hands, and owners who act against each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { findApp } from '../../../src/apps/app.ts'
import { approveApp } from '../../../src/apps/decide.ts'
import { listMembers } from '../../../src/apps/team/members.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey, makePendingApp } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  getAuthorize,
  getTokens,
  makePerson,
  makePkce,
  signIn,
  within,
} from '../../support/oauth.ts'
import type { Person, Shown } from '../../support/person.ts'
import { fillWebhooks } from '../../webhooks/fill-webhooks.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })
const database = () => minaret().service.database

const addMember = async (appId: string, role: string): Promise<User> => {
  const user = await makePerson(database())
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${user.id}, ${role})`,
  )
  return user
}

const makeTeam = async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential', scopes: ['masjid:read'] })
  return { owner, id, page: `/console/apps/${id}` }
}

const tokenOn = ({ text }: Shown): string =>
  new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''

/** Posts past the page, which offers no such form. */
const post = async (person: Person, path: string, fields: Record<string, string> = {}): Promise<number> => {
  const token = tokenOn(await person.get('/console/apps/new'))
  return (await person.post(path, { [ANTI_FORGERY_FIELD]: token, ...fields })).status
}

test('every page and action asks for the role: a viewer only reads, a developer neither stops the app nor touches the team', async () => {
  const { owner, id, page } = await makeTeam()
  const people = {
    viewer: await visitAs(minaret(), await addMember(id, 'viewer')),
    developer: await visitAs(minaret(), await addMember(id, 'developer')),
    stranger: await visitAs(minaret(), await makePerson(database())),
  }
  const reading = [
    '',
    '/development',
    '/credentials',
    '/start',
    '/webhooks',
    '/usage',
    '/team',
    '/history',
    '/messages',
    '/settings',
  ]
  const developing = ['/edit', '/webhooks/new']
  const owning = ['/suspend', '/delete', `/team/${owner.id}/remove`]
  for (const [paths, viewer, developer] of [
    [reading, 200, 200],
    [developing, 403, 200],
    [owning, 403, 403],
  ] as const)
    for (const path of paths) {
      assert.equal((await people.viewer.get(page + path)).status, viewer, `viewer ${path}`)
      assert.equal((await people.developer.get(page + path)).status, developer, `developer ${path}`)
      assert.equal((await people.stranger.get(page + path)).status, 404, `stranger ${path}`)
    }
  const changes = [
    '/secrets',
    '/keys',
    '/test-key',
    '/development/secrets',
    '/edit',
    '/webhooks/new',
    '/change/withdraw',
  ]
  const ends = [
    '/suspend',
    '/reinstate',
    '/delete',
    '/team/invite',
    `/team/${owner.id}/role`,
    `/team/${owner.id}/remove`,
  ]
  for (const path of [...changes, ...ends]) {
    assert.equal(
      await post(people.viewer, page + path, { role: 'viewer', email: 'a@example.org' }),
      403,
      `viewer ${path}`,
    )
    assert.equal(await post(people.stranger, page + path), 404, `stranger ${path}`)
  }
  for (const path of ends)
    assert.equal(await post(people.developer, page + path, { role: 'viewer', email: 'a@example.org' }), 403, path)
  const app = await findApp(database(), id)
  assert.equal(app?.state, 'approved')
  const secrets = await database().query(
    sql`select from minaret.app_secrets where app_id = ${id} and revoked_at is null`,
  )
  assert.equal(secrets.length, 1, 'the one of the beginning')
})

test('a viewer is offered nothing that answers 403: no link, and no form but leaving and a first query', async () => {
  const { id, page } = await makeTeam()
  const { endpointId, disabledId, deliveryId } = await fillWebhooks(database(), id)
  await makeKey(database(), { appId: id })
  const viewer = await visitAs(minaret(), await addMember(id, 'viewer'))
  const paths = [
    ...['', '/development', '/credentials', '/start', '/webhooks', '/usage', '/requests', '/team', '/history'],
    ...['/messages', '/settings', `/webhooks/${endpointId}`, `/webhooks/${disabledId}`],
    `/webhooks/${endpointId}/deliveries/${deliveryId}`,
  ]
  const links = new Set<string>()
  for (const path of paths) {
    const { status, text } = await viewer.get(page + path)
    assert.equal(status, 200, path)
    const [, main = ''] = /<main([\s\S]*)<\/main>/.exec(text) ?? []
    for (const [, href = ''] of main.matchAll(/href="(\/console\/apps\/[^"#]*)"/g)) links.add(href)
    const forms = [...main.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, action = '']) => action)
    const harmless = [`${page}/start`, `${page}/team/leave`]
    assert.deepEqual(
      forms.filter(action => !harmless.includes(action)),
      [],
      path,
    )
  }
  for (const href of links) assert.notEqual((await viewer.get(href.replaceAll('&#61;', '='))).status, 403, href)
})

test('two owners who remove each other at the same time leave one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { owner, id, page } = await makeTeam()
    const second = await addMember(id, 'owner')
    const [one, other] = [await visitAs(minaret(), owner), await visitAs(minaret(), second)]
    await Promise.all([post(one, `${page}/team/${second.id}/remove`), post(other, `${page}/team/${owner.id}/remove`)])
    const left = await listMembers(database(), id)
    assert.equal(left.length, 1)
    assert.equal((await findApp(database(), id))?.ownerId, left[0]?.userId)
  }
})

const removeBothAtOnce = async (): Promise<string> => {
  const { owner, id } = await makeTeam()
  const second = await addMember(id, 'owner')
  const removals = [owner, second].map(({ id: userId }) =>
    database().run(sql`delete from minaret.app_members where app_id = ${id} and user_id = ${userId}`),
  )
  const outcomes = await Promise.allSettled(removals)
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const codes = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  assert.deepEqual(codes, ['MN008'])
  return id
}

test('the database keeps an owner, whoever leaves at once and whatever code asks', async () => {
  const [id] = await Promise.all(Array.from({ length: 8 }, removeBothAtOnce))
  await assert.rejects(database().run(sql`update minaret.app_members set role = 'viewer' where app_id = ${id}`), {
    code: 'MN008',
  })
})

test('a removed member sees nothing from that moment on, and loses the development client', async () => {
  const { owner, id, page } = await makeTeam()
  const member = await addMember(id, 'owner')
  const app = await findApp(database(), id)
  assert.ok(app)
  const redirectUri = 'http://127.0.0.1:51000/callback'
  const client = { id: app.developmentId, clientId: app.developmentClientId, secret: '', redirectUri }
  await database().run(sql`update minaret.apps set kind = 'public' where id = ${app.developmentId}`)
  const cookie = await signIn(database(), member)
  const tokens = await getTokens(minaret(), { app: client, user: member, cookie }, { scope: 'masjid:read' })
  const visitor = await visitAs(minaret(), member)
  assert.equal((await visitor.get(page)).status, 200)
  assert.equal(await post(await visitAs(minaret(), owner), `${page}/team/${member.id}/remove`), 303)
  assert.equal((await visitor.get(page)).status, 404)
  assert.equal(await post(visitor, `${page}/team/${owner.id}/remove`), 404)
  const query = () =>
    fetch(`${minaret().sandboxUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
    })
  await within(1000, 'the token is refused', async () => (await query()).status === 401)
  const parameters = authorizeParameters(client, makePkce(), { scope: 'masjid:read' })
  assert.equal((await getAuthorize(minaret(), parameters, cookie)).status, 403)
})

const invite = async () => {
  const team = await makeTeam()
  const invited = await makePerson(database())
  const person = await visitAs(minaret(), team.owner)
  await person.submit(`${team.page}/team`, `${team.page}/team/invite`, { email: invited.email, role: 'owner' })
  return { ...team, invited, person, ...(await lastMailTo(database(), invited.email)) }
}

test('an invitation works once, for the account with that confirmed address, while its sender is an owner', async () => {
  const stolen = await invite()
  const thief = await visitAs(minaret(), await makePerson(database()))
  const shown = await thief.get(stolen.link)
  assert.equal(shown.status, 403)
  assert.equal(await post(thief, stolen.link), 403)
  const invited = await visitAs(minaret(), stolen.invited)
  const token = tokenOn(await invited.get(stolen.link))
  const both = await Promise.all([1, 2].map(() => invited.post(stolen.link, { [ANTI_FORGERY_FIELD]: token })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 410])
  assert.equal((await listMembers(database(), stolen.id)).length, 2)

  const unconfirmed = await invite()
  await database().run(sql`update minaret.users set email_verified_at = null where id = ${unconfirmed.invited.id}`)
  await assert.rejects(
    database().run(sql`
      update minaret.app_invitations set accepted_at = now(), accepted_by = ${unconfirmed.invited.id}
      where app_id = ${unconfirmed.id}`),
    { code: 'MN010' },
  )
  const late = await invite()
  await database().run(sql`update minaret.app_invitations set expires_at = now() where app_id = ${late.id}`)
  assert.equal((await (await visitAs(minaret(), late.invited)).get(late.link)).status, 410)
  const orphaned = await invite()
  await addMember(orphaned.id, 'owner')
  await database().run(sql`
    update minaret.app_members set role = 'viewer' where app_id = ${orphaned.id} and user_id = ${orphaned.owner.id}`)
  assert.equal((await (await visitAs(minaret(), orphaned.invited)).get(orphaned.link)).status, 410)
})

test('a reviewer on the team decides nothing about its app', async () => {
  const appId = await makePendingApp(database(), { scopes: ['masjid:read'] })
  const reviewer = await addMember(appId, 'viewer')
  await database().run(sql`update minaret.users set is_reviewer = true where id = ${reviewer.id}`)
  const actor = { kind: 'user' as const, userId: reviewer.id, address: undefined }
  await assert.rejects(approveApp(database(), { appId, actor }), { code: 'own_app' })
})
