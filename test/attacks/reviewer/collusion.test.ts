// Reviewers who work with the team of an app: they leave it to decide, join it once they have decided, or decide what is their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { requestChange } from '../../../src/apps/changes.ts'
import { checkRegistration } from '../../../src/apps/check-registration.ts'
import { handOverApp } from '../../../src/apps/hand-over.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { makeMasjid, visitAs } from '../../staff/use-staff.ts'
import { makeApp, makePendingApp, makeUser, REDIRECT_URI } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import type { Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const acting = ({ id }: User) => ({ kind: 'user', userId: id, address: undefined }) as const
const makeReviewer = () => makeUser(database(), { hashed: false, isReviewer: true })
const makeFriend = () => makeUser(database(), { hashed: false })

/** Posts past the page, which may offer no such form. */
const post = async (person: Person, path: string, fields: Record<string, string> = {}): Promise<number> => {
  const { text } = await person.get('/console/apps/new')
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return (await person.post(path, { [ANTI_FORGERY_FIELD]: token, ...fields })).status
}

interface Plot {
  readonly reviewer: User
  readonly friend: User
  readonly desk: Person
  readonly appId: string
}

/** An app of the reviewer's friend; the reviewer is in its team, with this role. */
const conspire = async (state: 'pending' | 'approved', role: string | undefined): Promise<Plot> => {
  const [reviewer, friend] = [await makeReviewer(), await makeFriend()]
  const wishes = { ownerId: friend.id, kind: 'confidential', scopes: ['masjid:read'] } as const
  const appId = state === 'pending' ? await makePendingApp(database(), wishes) : (await makeApp(database(), wishes)).id
  if (role !== undefined)
    await database().run(sql`
      insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${reviewer.id}, ${role})`)
  return { reviewer, friend, desk: await visitAs(minaret(), reviewer), appId }
}

const leave = async ({ reviewer, friend, desk, appId }: Plot, byThemselves: boolean): Promise<void> => {
  const team = `/console/apps/${appId}/team`
  const left = byThemselves
    ? await post(desk, `${team}/leave`)
    : await post(await visitAs(minaret(), friend), `${team}/${reviewer.id}/remove`)
  assert.equal(left, 303)
}

const askForChange = async ({ friend, appId }: Plot): Promise<string> => {
  const checked = checkRegistration(
    {
      name: 'Another name',
      description: 'An app made by a test.',
      kind: 'confidential',
      redirectUris: [REDIRECT_URI],
      scopes: ['masjid:read', 'members:read'],
    },
    'development',
  )
  assert.equal(checked.kind, 'checked')
  const { registration } = checked as Extract<typeof checked, { kind: 'checked' }>
  return requestChange(database(), { appId, actor: acting(friend), registration, reason: 'More.' })
}

/** What a decision would change. */
const rightsOf = async (appId: string): Promise<unknown> =>
  database().first(sql`
    select state, scopes, plain_claims, all_masjids, own_all_masjids, owner_id,
      (select count(*)::int from minaret.app_messages where app_id = ${appId} and side = 'reviewer') as said
    from minaret.apps where id = ${appId}`)

const approval = { scopes: 'masjid:read', reach: 'all', claims: 'email' }

/** With the revision that the page shows. */
const approve = async ({ desk, appId }: Pick<Plot, 'desk' | 'appId'>): Promise<number> => {
  const row = await database().first<{ revision: number }>(sql`select revision from minaret.apps where id = ${appId}`)
  return post(desk, `/review/apps/${appId}/approve`, { ...approval, revision: String(row?.revision) })
}

const decisions: Readonly<
  Record<string, { readonly state?: 'approved'; readonly decide: (plot: Plot) => Promise<number> }>
> = {
  'approve it': { decide: approve },
  'approve a change of it': {
    state: 'approved',
    decide: async plot => post(plot.desk, `/review/changes/${await askForChange(plot)}/approve`, approval),
  },
  'make it every masjid’s own': {
    state: 'approved',
    decide: ({ desk, appId }) => post(desk, `/review/apps/${appId}/masjids`, { reach: 'own_all', action: 'save' }),
  },
  'show it more of people': {
    state: 'approved',
    decide: async ({ desk, appId }) => {
      await database().run(sql`update minaret.apps set plain_claims = '{}' where id = ${appId}`)
      return post(desk, `/review/apps/${appId}/claims`, { claims: 'email' })
    },
  },
  'reinstate it': {
    state: 'approved',
    decide: async ({ desk, appId }) => {
      const other = await makeReviewer()
      await database().run(sql`update minaret.apps set state = 'suspended', moved_by = ${other.id} where id = ${appId}`)
      return post(desk, `/review/apps/${appId}/reinstate`)
    },
  },
  'speak for the reviewers': {
    decide: ({ desk, appId }) => post(desk, `/review/apps/${appId}/messages`, { body: 'All is well.' }),
  },
}

const refusals = [403, 409, 422]

test('a reviewer who is in the team, as owner, developer or viewer, decides nothing about its app', async () => {
  for (const [index, [what, { state = 'pending', decide }]] of Object.entries(decisions).entries()) {
    const role = ['viewer', 'owner', 'developer'][index % 3]
    assert.equal(await decide(await conspire(state, role)), 403, `${role}: ${what}`)
  }
})

test('a reviewer who left the team, or was removed, decides nothing about its app either', async () => {
  for (const [what, { state = 'pending', decide }] of Object.entries(decisions)) {
    const plot = await conspire(state, 'owner')
    await leave(plot, what.length % 2 === 0)
    const before = await rightsOf(plot.appId)
    assert.equal(await decide(plot), 403, what)
    if (!['show it more of people', 'reinstate it'].includes(what)) assert.deepEqual(await rightsOf(plot.appId), before)
  }
})

test('nor does the one who registered it and handed it over', async () => {
  const [reviewer, friend] = [await makeReviewer(), await makeFriend()]
  const appId = await makePendingApp(database(), { ownerId: reviewer.id })
  await handOverApp(database(), { appId, to: friend, actor: commandActor })
  const desk = await visitAs(minaret(), reviewer)
  assert.equal(await approve({ desk, appId }), 403)
  assert.match((await desk.get(`/review/apps/${appId}`)).text, /Another reviewer must decide about it/)
})

const invite = async ({ friend, reviewer, appId }: Plot): Promise<string> => {
  const owner = await visitAs(minaret(), friend)
  const team = `/console/apps/${appId}/team`
  const sent = await owner.submit(team, `${team}/invite`, { email: reviewer.email, role: 'owner' })
  assert.equal(sent.status, 303)
  return (await lastMailTo(database(), reviewer.email)).link
}

const isOnTeam = async ({ appId, reviewer }: Plot): Promise<boolean> =>
  (await database().query(sql`select from minaret.app_members where app_id = ${appId} and user_id = ${reviewer.id}`))
    .length > 0

const helpful = ['approve it', 'approve a change of it', 'show it more of people']

test('a reviewer who let the app do something does not join its team by an invitation from before', async () => {
  for (const what of helpful) {
    const { state = 'pending', decide } = decisions[what] ?? assert.fail(what)
    const plot = await conspire(state, undefined)
    const link = await invite(plot)
    assert.equal(await decide(plot), 303, what)
    assert.ok(refusals.includes((await plot.desk.submit(link, link, {})).status), what)
    assert.equal(await isOnTeam(plot), false, what)
  }
})

test('nor does the app become theirs', async () => {
  const plot = await conspire('pending', undefined)
  assert.equal(await decisions['approve it']?.decide(plot), 303)
  const handing = handOverApp(database(), { appId: plot.appId, to: plot.reviewer, actor: commandActor })
  await assert.rejects(handing, { code: 'state_refused' })
  assert.equal(await isOnTeam(plot), false)
})

test('a decision and a joining at once: one of them is refused', async () => {
  for (const what of ['approve it', 'approve a change of it']) {
    const { state = 'pending', decide } = decisions[what] ?? assert.fail(what)
    const plot = await conspire(state, undefined)
    const link = await invite(plot)
    const [decided, joined] = await Promise.all([decide(plot), plot.desk.submit(link, link, {})])
    assert.equal([decided, joined.status].filter(status => status === 303).length, 1, `${what}: ${decided}`)
  }
})

test('a former reviewer joins, and decides nothing when they are a reviewer again', async () => {
  const plot = await conspire('pending', undefined)
  assert.equal(await decisions['approve it']?.decide(plot), 303)
  await database().run(sql`update minaret.users set is_reviewer = false where id = ${plot.reviewer.id}`)
  const link = await invite(plot)
  assert.equal((await plot.desk.submit(link, link, {})).status, 303)
  await database().run(sql`update minaret.users set is_reviewer = true where id = ${plot.reviewer.id}`)
  assert.equal(await decisions['show it more of people']?.decide(plot), 403)
})

test('a reviewer decides neither about a host that their own app returns to, nor about their own request for a masjid', async () => {
  const reviewer = await makeReviewer()
  const desk = await visitAs(minaret(), reviewer)
  await makePendingApp(database(), { ownerId: reviewer.id, redirectUris: ['https://Mine.example.org:8443/callback'] })
  await database().run(sql`insert into minaret.app_hosts (host) values ('mine.example.org'), ('theirs.example.org')`)
  const form = { state: 'approved', scopes: 'members:read' }
  assert.equal(await post(desk, '/review/hosts', { ...form, host: 'mine.example.org' }), 403)
  assert.equal(await post(desk, '/review/hosts', { ...form, host: 'theirs.example.org' }), 303)
  const masjid = await makeMasjid(database())
  const request = await database().first<{ id: string }>(sql`
    insert into minaret.masjid_requests (kind, user_id, masjid_id, words)
    values ('claim', ${reviewer.id}, ${masjid.id}, 'Mine.') returning id`)
  assert.equal(await post(desk, `/review/masjids/${request?.id}/approve`), 409)
})

test('the database asks who decides about a masjid at that moment', async () => {
  const [asking, dismissed] = [await makeFriend(), await makeFriend()]
  const masjid = await makeMasjid(database())
  await database().run(sql`
    insert into minaret.masjid_requests (kind, user_id, masjid_id, words) values ('claim', ${asking.id}, ${masjid.id}, 'Mine.')`)
  const decide = database().run(sql`
    update minaret.masjid_requests set state = 'approved', decided_at = now(), decided_by = ${dismissed.id}
    where user_id = ${asking.id}`)
  await assert.rejects(decide, { code: 'MN006' })
})
