// Every form of a masjid's staff pages, sent by people who may not: dismissed after they opened it, without the capability, of
// another masjid, from another site, with another session's token. Nothing changes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import type { Capability } from '../../../src/base/capability-names.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'
import { untilSettled } from '../../support/settled.ts'

const all: readonly Capability[] = ['times', 'events', 'announcements', 'people', 'giving', 'screens', 'capabilities']
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const event = { title: 'Lecture', date: tomorrow, time: '19:30', duration: '60', repeat: 'once', version: '1' }
const announcement = { kind: 'closure', language: 'en', title_en: 'Closed', shown_on: 'screen', version: '1' }

describe('the forms of the staff pages', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const idOf = async (statement: ReturnType<typeof sql>): Promise<string> =>
    (await database().first<{ id: string }>(statement))?.id ?? assert.fail('there is none')

  /** A masjid with an event, an announcement, a team and an invitation; and a form for each thing that can be done. */
  const furnish = async () => {
    const masjid = await makeMasjid(database())
    const manager = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const colleague = await makeStaff(database(), { masjid, capabilities: ['events'] })
    const base = `/staff/${masjid.slug}`
    await manager.submit(`${base}/events/new`, `${base}/events/new`, event)
    await manager.submit(`${base}/announcements/new`, `${base}/announcements/new`, announcement)
    await manager.submit(`${base}/team`, `${base}/team/invite`, { email: 'new@example.org', capabilities: 'times' })
    await untilSettled(database())
    const [eventId, dateId, announcementId, invitationId] = [
      await idOf(sql`select id from public.up_events where masjid_id = ${masjid.id}`),
      await idOf(sql`select id from public.up_event_occurrences where masjid_id = ${masjid.id}`),
      await idOf(sql`select id from public.up_announcements where masjid_id = ${masjid.id}`),
      await idOf(sql`select id from minaret.masjid_invitations where masjid_id = ${masjid.id}`),
    ]
    const forms: Readonly<Record<string, Record<string, string>>> = {
      'events/new': event,
      [`events/${eventId}`]: { ...event, title: 'Taken over' },
      [`events/${eventId}/delete`]: {},
      [`events/${eventId}/restore`]: {},
      [`events/dates/${dateId}/cancel`]: {},
      [`events/dates/${dateId}/keep`]: {},
      'announcements/new': announcement,
      [`announcements/${announcementId}`]: { ...announcement, title_en: 'Taken over' },
      [`announcements/${announcementId}/end`]: {},
      [`announcements/${announcementId}/delete`]: {},
      [`announcements/${announcementId}/restore`]: {},
      'team/invite': { email: 'mine@example.org', capabilities: 'capabilities' },
      [`team/invitations/${invitationId}/again`]: {},
      [`team/invitations/${invitationId}/withdraw`]: {},
      [`team/people/${colleague.id}`]: { capabilities: 'capabilities' },
    }
    return { masjid, base, forms }
  }

  const stateOf = ({ id }: Masjid): Promise<unknown> =>
    database().first(sql`select
      (select jsonb_agg(to_jsonb(e) order by e.id) from public.up_events e where masjid_id = ${id}) as events,
      (select jsonb_agg(to_jsonb(o) order by o.id) from public.up_event_occurrences o where masjid_id = ${id}) as dates,
      (select jsonb_agg(to_jsonb(a) order by a.id) from public.up_announcements a where masjid_id = ${id}) as announcements,
      (select jsonb_agg(to_jsonb(i) order by i.id) from minaret.masjid_invitations i where masjid_id = ${id}) as invitations`)

  const holdersOf = ({ id }: Masjid): Promise<unknown> =>
    database().query(sql`
      select user_id, capability from public.ua_capabilities
      where masjid_id = ${id} and withdrawn_at is null order by user_id, capability`)

  const tokenOf = async (person: Person): Promise<Record<string, string>> =>
    hiddenFieldsOf((await person.get('/account')).text, '/account/profile')

  const assertNothing = async (
    { masjid, base, forms }: Awaited<ReturnType<typeof furnish>>,
    send: (path: string, fields: Record<string, string>) => Promise<Shown>,
  ): Promise<void> => {
    const before = [await stateOf(masjid), await holdersOf(masjid)]
    for (const [path, fields] of Object.entries(forms)) {
      const { status, location, text } = await send(`${base}/${path}`, fields)
      assert.ok(status === 403 || status === 404 || location === '/sign-in', `${path}: ${status} ${location}`)
      assert.ok(!text.includes('Lecture') && !text.includes('new@example.org'), `${path} tells what is there`)
    }
    assert.deepEqual([await stateOf(masjid), await holdersOf(masjid)], before)
  }

  const dismissals: Readonly<Record<string, (masjid: Masjid, user: User) => ReturnType<typeof sql>>> = {
    'whose membership is no longer active': ({ id }, user) =>
      sql`update public.ua_members set status = 'inactive' where masjid_id = ${id} and user_id = ${user.id}`,
    'whose membership was deleted': ({ id }, user) =>
      sql`update public.ua_members set deleted_at = now() where masjid_id = ${id} and user_id = ${user.id}`,
    'whose capabilities were withdrawn': ({ id }, user) =>
      sql`update public.ua_capabilities set withdrawn_at = now() where masjid_id = ${id} and user_id = ${user.id}`,
    'whose account was disabled': (_, user) => sql`update minaret.users set disabled_at = now() where id = ${user.id}`,
  }
  for (const [name, dismiss] of Object.entries(dismissals))
    test(`do nothing for a colleague ${name} while they were open`, async () => {
      const furnished = await furnish()
      const user = await makeStaff(database(), { masjid: furnished.masjid, capabilities: all })
      const person = await visitAs(minaret(), user)
      const token = await tokenOf(person)
      assert.equal((await person.get(`${furnished.base}/team`)).status, 200)
      await database().run(dismiss(furnished.masjid, user))
      await assertNothing(furnished, (path, fields) => person.post(path, { ...fields, ...token }))
    })

  test('do nothing for a member, for the wrong capability, for a stranger and for the admin of another masjid', async () => {
    const furnished = await furnish()
    const elsewhere = await makeMasjid(database())
    const users = [
      await makeStaff(database(), { masjid: furnished.masjid }),
      await makeStaff(database(), { masjid: furnished.masjid, capabilities: ['times', 'people', 'giving', 'screens'] }),
      await makeStaff(database(), { masjid: elsewhere, role: 'admin' }),
      await makePerson(database()),
    ]
    for (const user of users) {
      const person = await visitAs(minaret(), user)
      const token = await tokenOf(person)
      await assertNothing(furnished, (path, fields) => person.post(path, { ...fields, ...token }))
    }
  })

  test('do nothing without the token of this session, or from another site', async () => {
    const furnished = await furnish()
    const { masjid } = furnished
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const other = await tokenOf(await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' })))
    for (const token of [{}, { anti_forgery: '' }, other])
      await assertNothing(furnished, (path, fields) => person.post(path, { ...fields, ...token }))
    const own = await tokenOf(person)
    for (const site of ['cross-site', 'same-site'])
      await assertNothing(furnished, (path, fields) =>
        person.post(path, { ...fields, ...own }, { 'sec-fetch-site': site }),
      )
  })

  test('of one masjid take no ids of another, even from somebody who looks after both', async () => {
    const [here, there] = [await furnish(), await makeMasjid(database())]
    const user = await makeStaff(database(), { masjid: there, role: 'admin' })
    await database().run(sql`
      insert into public.ua_members (masjid_id, user_id, given_name, role)
      values (${here.masjid.id}, ${user.id}, 'A', 'board')`)
    const person = await visitAs(minaret(), user)
    const token = await tokenOf(person)
    const forms = Object.fromEntries(
      Object.entries(here.forms).filter(([path]) => /[0-9a-f]{8}-/.test(path) && !path.endsWith('/again')),
    )
    await assertNothing({ ...here, base: `/staff/${there.slug}`, forms }, (path, fields) =>
      person.post(path, { ...fields, ...token }),
    )
  })
})
