// Files of other people's data: the list of a masjid's people, the audit log, changes of data, and somebody's own download.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { ANTI_FORGERY_FIELD } from '../../../src/site/pieces/form.ts'
import { makeLife } from '../../own-data/life.ts'
import { readZip } from '../../own-data/read-zip.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { givePassword, makeApp, makeKey, makeUser } from '../../support/apps.ts'
import { asksAgain } from '../../support/asks-again.ts'
import { useMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, makePerson, signIn } from '../../support/oauth.ts'
import { createPerson, decodeHtml, type Person, type Shown } from '../../support/person.ts'

const SECRET = 'Do Not Take Along'
const minaret = useMinaret()
const database = () => minaret().service.database

let masjid: Masjid
let manager: User
before(async () => {
  masjid = await makeMasjid(database())
  manager = await makeStaff(database(), { masjid, capabilities: ['people'] })
  await givePassword(database(), manager.id)
  await database().run(sql`
    insert into public.ua_members (masjid_id, given_name, email) values (${masjid.id}, ${SECRET}, 'hidden@example.org')`)
})

const exportPath = () => `/staff/${masjid.slug}/people/export`

/** Posts with a token of the session, past the page, which offers no such form. */
const post = async (person: Person, path: string, fields: Record<string, string> = {}): Promise<Shown> => {
  const { text } = await person.get('/console/apps/new')
  const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
  return person.post(path, { [ANTI_FORGERY_FIELD]: token, ...fields })
}

const enter = async (user: User | Promise<User>): Promise<Person> => visitAs(minaret(), await user)
const ageSessions = (user: User) =>
  database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${user.id}`)

const withToken = (token: string): Promise<Response> =>
  fetch(`${minaret().baseUrl}${exportPath()}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
  })
const shownBy = async (response: Response) => ({ status: response.status, text: await response.text() })

/** Who asks for the people of the masjid; each gets nothing, with this status. */
const attempts: Readonly<Record<string, readonly [() => Promise<Pick<Shown, 'status' | 'text'>>, readonly number[]]>> =
  {
    'nobody who is signed in': [async () => createPerson(minaret().baseUrl).post(exportPath(), {}), [303, 403]],
    'a stranger': [async () => post(await enter(makePerson(database())), exportPath()), [404]],
    'a member without a capability': [
      async () => post(await enter(makeStaff(database(), { masjid })), exportPath()),
      [403, 404],
    ],
    'a treasurer': [
      async () =>
        post(await enter(makeStaff(database(), { masjid, capabilities: ['giving', 'events'] })), exportPath()),
      [403],
    ],
    'the admin of another masjid': [
      async () =>
        post(await enter(makeStaff(database(), { masjid: await makeMasjid(database()), role: 'admin' })), exportPath()),
      [404],
    ],
    'the admin of another masjid, with the id of this one in the form': [
      async () => {
        const other = await makeMasjid(database())
        const person = await enter(makeStaff(database(), { masjid: other, role: 'admin' }))
        const strange = { masjid: masjid.id, masjid_id: masjid.id, slug: masjid.slug, after: masjid.id }
        return post(person, `/staff/${other.slug}/people/export?${new URLSearchParams(strange)}`, strange)
      },
      [200],
    ],
    'an administrator of the service': [
      async () => post(await enter(makeUser(database(), { hashed: false, isAdmin: true })), exportPath()),
      [200, 403, 404],
    ],
    'somebody whose membership ended': [
      async () => {
        const user = await makeStaff(database(), { masjid, capabilities: ['people'] })
        const person = await enter(user)
        await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${user.id}`)
        return post(person, exportPath())
      },
      [404],
    ],
    'somebody whose capability was withdrawn': [
      async () => {
        const user = await makeStaff(database(), { masjid, capabilities: ['people'] })
        const person = await enter(user)
        await database().run(sql`update public.ua_capabilities set withdrawn_at = now() where user_id = ${user.id}`)
        return post(person, exportPath())
      },
      [403, 404],
    ],
    'another site, in the manager’s browser': [
      async () => {
        const person = await enter(manager)
        const { text } = await person.get(`/staff/${masjid.slug}/people`)
        const token = new RegExp(`name="${ANTI_FORGERY_FIELD}" value="([^"]*)"`).exec(text)?.[1] ?? ''
        const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
        return person.post(exportPath(), { [ANTI_FORGERY_FIELD]: token }, headers)
      },
      [403],
    ],
    'a link to it': [async () => (await enter(manager)).get(exportPath()), [404]],
    'an app, with the manager’s token': [
      async () => {
        const app = await makeClient(database())
        const flow = { app, user: manager, cookie: await signIn(database(), manager) }
        const tokens = await getTokens(minaret(), flow, { scope: 'members:read' })
        return shownBy(await withToken(tokens.access_token))
      },
      [303, 403],
    ],
    'a key of the masjid’s own app': [
      async () => {
        const masjids = { only: [masjid.id], own: [masjid.id] }
        const { id } = await makeApp(database(), { kind: 'confidential', scopes: ['members:read'], masjids })
        return shownBy(await withToken((await makeKey(database(), { appId: id, scopes: ['members:read'] })).key))
      },
      [303, 403],
    ],
  }

describe('the people of a masjid', () => {
  test('are exported to nobody but those who look after them there', async () => {
    for (const [who, [attempt, statuses]] of Object.entries(attempts)) {
      const { status, text } = await attempt()
      assert.ok(statuses.includes(status), `${who}: ${status}`)
      assert.ok(!text.includes(SECRET), who)
    }
    assert.ok((await post(await enter(manager), exportPath())).text.includes(SECRET), 'it can be exported at all')
  })

  test('are exported only to who has just shown who they are, and without those of other masjids or deleted ones', async () => {
    const person = await enter(manager)
    await ageSessions(manager)
    const asked = await post(person, exportPath())
    assert.ok(asksAgain(asked))
    assert.ok(!asked.text.includes(SECRET))
    await database().run(sql`
      insert into public.ua_members (masjid_id, given_name, deleted_at) values (${masjid.id}, 'Deleted One', now())`)
    await database().run(sql`
      insert into public.ua_members (masjid_id, given_name) values (${masjid.id}, ${'\u00a0=1+1;@SUM(A1) | =S2'})`)
    const { text } = await post(await enter(manager), exportPath())
    assert.ok(!text.includes('Deleted One'))
    assert.doesNotMatch(text, /(^|[,;\t\n\r"])[\s\u00a0]*[=@][1S]/u)
  })
})

describe('the files of administrators', () => {
  test('are for nobody else, and never run what people typed', async () => {
    const owner = await makeUser(database(), { hashed: false, name: '=cmd|calc' })
    const { id: appId } = await makeApp(database(), { ownerId: owner.id })
    const paths = ['/admin/audit/export', '/admin/changes/export']
    const people = [
      makePerson(database()),
      makeUser(database(), { hashed: false, isReviewer: true }),
      makeStaff(database(), { masjid, role: 'admin' }),
    ]
    for (const one of people)
      for (const path of paths) {
        const { status, text } = await post(await enter(one), path, { app: appId, format: 'json' })
        assert.equal(status, 403, path)
        assert.doesNotMatch(text, /actor_name|table_name/)
      }
    const admin = await makeUser(database(), { isAdmin: true })
    const desk = await enter(admin)
    for (const path of paths) {
      const { text } = await post(desk, path, { app: appId })
      assert.doesNotMatch(text, /(^|,)"?=cmd/m, path)
    }
    await ageSessions(admin)
    for (const path of paths) assert.ok(asksAgain(await post(desk, path)), path)
  })
})

describe('the download of one’s own data', () => {
  const download = async (user: User): Promise<string> => {
    const person = await enter(user)
    const { text } = await person.submit('/account/data', '/account/data/export', {})
    const href = decodeHtml(/href="(\/account\/data\/download[^"]*)"/.exec(text)?.[1] ?? '')
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(href, minaret().baseUrl), { headers: { cookie } })
    return [...(await readZip(Buffer.from(await response.arrayBuffer()))).values()].join('\n')
  }

  const ways: Readonly<
    Record<string, (thief: User, victim: Awaited<ReturnType<typeof makeLife>>) => Promise<unknown>>
  > = {
    'asking for the victim’s address, unconfirmed': async (thief, { user }) =>
      database().run(sql`
        insert into minaret.email_changes (user_id, old_email, new_email) values (${thief.id}, ${thief.email}, ${user.email})`),
    'an address that only looks like it': (thief, { user }) =>
      database().run(
        sql`update minaret.users set email = ${user.email.replace('mark', 'mаrk')} where id = ${thief.id}`,
      ),
    'a longer address, with the other one in it': (thief, { user }) =>
      database().run(sql`update minaret.users set email = ${`${user.email}.evil.test`} where id = ${thief.id}`),
    'an address with signs of patterns': thief =>
      database().run(sql`update minaret.users set email = ${`%_${thief.id}@%.org`} where id = ${thief.id}`),
    'the victim’s name': (thief, { user }) =>
      database().run(
        sql`update minaret.users set name = ${user.name.replace(/mark-\w+/, 'somebody')} where id = ${thief.id}`,
      ),
    'a membership at the same masjid, with the victim’s telephone number': (thief, { masjidId }) =>
      database().run(sql`
        insert into public.ua_members (masjid_id, user_id, given_name, phone) values (${masjidId}, ${thief.id}, 'Thief', '+15550100')`),
    'a place in the victim’s household': (thief, { masjidId, householdId }) =>
      database().run(sql`
        insert into public.ua_members (masjid_id, user_id, given_name, household_id)
        values (${masjidId}, ${thief.id}, 'Thief', ${householdId})`),
    'being its administrator': (thief, { masjidId }) =>
      database().run(sql`
        insert into public.ua_members (masjid_id, user_id, given_name, role) values (${masjidId}, ${thief.id}, 'Thief', 'admin')`),
    'having invited the victim': (thief, { user, masjidId }) =>
      database().run(sql`
        insert into minaret.masjid_invitations (masjid_id, email, invited_by, token_hash, capabilities)
        values (${masjidId}, ${user.email}, ${thief.id}, sha256(${user.id}::text::bytea), '{events}')`),
  }

  test('has nothing of somebody else, by whatever the two have in common', async () => {
    const victim = await makeLife(database())
    for (const [what, prepare] of Object.entries(ways)) {
      const thief = await makeUser(database(), { hashed: false })
      await prepare(thief, victim)
      const all = await download(thief)
      const mark = String(victim.marks[0])
      const theirs = [`${mark} as a guest`, `folder ${mark}`, `${mark} of the account`, 'evil.example']
      for (const text of [...theirs, victim.relative.name, victim.relative.email, victim.user.id, victim.memberId])
        assert.ok(!all.includes(text), `${what}: ${text}`)
    }
  })
})
