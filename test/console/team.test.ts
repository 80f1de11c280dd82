// The team of an app, over HTTP: invitations, roles, leaving, and what is left of them in the history.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../src/accounts/users.ts'
import { findApp } from '../../src/apps/app.ts'
import { handOverApp } from '../../src/apps/hand-over.ts'
import { listMembers } from '../../src/apps/team/members.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { askForErasure } from '../../src/own-data/erase/ask-erasure.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeApp } from '../support/apps.ts'
import { lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { decodeHtml, type Person } from '../support/person.ts'
import { fillWebhooks } from '../webhooks/fill-webhooks.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

interface Team {
  readonly owner: User
  readonly person: Person
  readonly appId: string
  readonly page: string
}

const makeTeam = async (): Promise<Team> => {
  const owner = await makePerson(database(), 'Owner Khadija')
  const { id: appId } = await makeApp(database(), { ownerId: owner.id, kind: 'confidential' })
  return { owner, person: await visitAs(minaret(), owner), appId, page: `/console/apps/${appId}` }
}

const join = async ({ person, page }: Team, role: string, name = `New ${role}`): Promise<[User, Person]> => {
  const user = await makePerson(database(), name)
  const sent = await person.submit(`${page}/team`, `${page}/team/invite`, { email: user.email.toUpperCase(), role })
  assert.equal(sent.location, `${page}/team?done=invited`)
  const { link } = await lastMailTo(database(), user.email)
  const visitor = await visitAs(minaret(), user)
  const joined = await visitor.submit(link, link, {})
  assert.equal(joined.location, `${page}/team?done=joined`)
  return [user, visitor]
}

const rolesOf = async ({ appId }: Team): Promise<string[]> =>
  (await listMembers(database(), appId)).map(({ name, role }) => `${name}: ${role}`)

test('people are invited by mail, join with the account of that address, and see the app in their console', async () => {
  const team = await makeTeam()
  const [, developer] = await join(team, 'developer')
  assert.match((await developer.get('/console')).text, new RegExp(team.appId))
  assert.equal((await developer.get(`${team.page}/credentials`)).status, 200)
  assert.deepEqual(await rolesOf(team), ['Owner Khadija: owner', 'New developer: developer'])
  const history = decodeHtml((await team.person.get(`${team.page}/history`)).text)
  assert.match(history, /New developer<\/bdi> joined|New developer joined/)
  assert.match(history, /Invitation sent/)
})

test('an owner changes roles and removes members; whoever leaves sees nothing more', async () => {
  const team = await makeTeam()
  const [viewer, visitor] = await join(team, 'viewer')
  const role = `${team.page}/team/${viewer.id}/role`
  assert.equal((await visitor.get(`${team.page}/edit`)).status, 403)
  assert.equal((await team.person.submit(`${team.page}/team`, role, { role: 'developer' })).status, 303)
  assert.equal((await visitor.get(`${team.page}/edit`)).status, 200)
  const left = await visitor.submit(`${team.page}/team/leave`, `${team.page}/team/leave`, {})
  assert.equal(left.location, '/console')
  assert.equal((await visitor.get(team.page)).status, 404)
  assert.doesNotMatch((await visitor.get('/console')).text, new RegExp(team.appId))
})

test('the last owner can neither leave nor be lowered; with a second one they can, and the app stays whole', async () => {
  const team = await makeTeam()
  const leave = `${team.page}/team/leave`
  const refused = await team.person.submit(leave, leave, {})
  assert.equal(refused.status, 422)
  assert.match(decodeHtml(refused.text), /always has an owner/)
  const [second] = await join(team, 'owner', 'Second Owner')
  assert.equal((await team.person.submit(leave, leave, {})).location, '/console')
  assert.deepEqual(await rolesOf(team), ['Second Owner: owner'])
  assert.equal((await findApp(database(), team.appId))?.ownerId, second.id, 'who left does not stand for it any more')
})

test('the operator hands an app over: the former owner leaves the team, the others stay', async () => {
  const team = await makeTeam()
  await join(team, 'developer')
  const heir = await makePerson(database(), 'Heir Yusuf')
  await handOverApp(database(), { appId: team.appId, to: heir, actor: commandActor })
  assert.deepEqual((await rolesOf(team)).sort(), ['Heir Yusuf: owner', 'New developer: developer'])
  assert.equal((await team.person.get(team.page)).status, 404)
})

test('the only owner cannot have the account erased; with another owner the app goes on with them', async () => {
  const team = await makeTeam()
  const services = { database: database(), baseUrl: minaret().baseUrl, erasureDays: 14 }
  const ask = () => askForErasure(services, { user: team.owner, actor: commandActor })
  await assert.rejects(ask, { code: 'erasure_blocked' })
  const [second] = await join(team, 'owner')
  await ask()
  const app = await findApp(database(), team.appId)
  assert.deepEqual([app?.ownerId, app?.ownerDisabled], [second.id, false])
})

test('whoever only reads is offered no webhook buttons, and is told why', async () => {
  const team = await makeTeam()
  const { endpointId } = await fillWebhooks(database(), team.appId)
  const [, viewer] = await join(team, 'viewer')
  for (const path of ['/webhooks', `/webhooks/${endpointId}`]) {
    const main = async (person: Person) =>
      /<main[\s\S]*<\/main>/.exec((await person.get(`${team.page}${path}`)).text)?.[0] ?? ''
    assert.match(await main(team.person), /<form|\/webhooks\/new/, path)
    const shown = await main(viewer)
    assert.doesNotMatch(shown, /<form|\/webhooks\/new|\/(edit|rotate|delete)"/, path)
    assert.match(shown, /change nothing/, path)
  }
})
