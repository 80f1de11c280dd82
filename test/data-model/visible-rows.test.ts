import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifier, sql } from '../../src/db/sql.ts'
import { insertRow, useDatabase, type Values } from './use-database.ts'

const uuid = (number: number) => `20000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const masjids = { a: uuid(1), b: uuid(2) }
const users = {
  admin: uuid(11),
  board: uuid(12),
  member: uuid(13),
  formerBoard: uuid(14),
  imam: uuid(15),
  stranger: uuid(16),
}
const nowhere = { latitude: 0, longitude: 0, timezone: 'UTC', country: 'US', city: 'x', address: 'x' }

/** Two masjids, each with: shy, open (agreed to sharing); at A also people with accounts. Tests compare the names. */
const people: readonly (readonly [name: string, masjid: 'a' | 'b', values: Values])[] = [
  ['a-admin', 'a', { role: 'admin', user_id: users.admin }],
  ['a-board', 'a', { role: 'board', user_id: users.board }],
  ['a-former', 'a', { role: 'board', user_id: users.formerBoard, status: 'inactive' }],
  ['a-imam', 'a', { role: 'imam', user_id: users.imam }],
  ['a-member', 'a', { user_id: users.member }],
  ['a-open', 'a', { consent_api_sharing: true, consent_at: '2026-01-01T00:00:00Z' }],
  ['b-member', 'b', { user_id: users.member }],
  ['b-shy', 'b', {}],
  ['b-open', 'b', { consent_api_sharing: true, consent_at: '2026-01-01T00:00:00Z' }],
]

const model = useDatabase(async owner => {
  const write = (table: string, values: Values) => insertRow(owner, table, values)
  for (const [name, id] of Object.entries(masjids)) {
    await write('up_masjids', { ...nowhere, id, slug: name, name })
    const event_id = await write('up_events', {
      masjid_id: id,
      title: name,
      starts_local: '2026-05-01T10:00:00',
      timezone: 'UTC',
    })
    const times = {
      starts_local: '2026-05-01T10:00:00',
      starts_at: '2026-05-01T10:00:00Z',
      ends_at: '2026-05-01T11:00:00Z',
    }
    const occurrence_id = await write('up_event_occurrences', { event_id, masjid_id: id, ...times })
    await write('ua_campaigns', { masjid_id: id, title: `${name}-campaign`, currency: 'USD' })
    const gift = { masjid_id: id, amount_minor: 100, currency: 'USD', method: 'cash' }
    await write('ua_donations', { ...gift, fund: 'general', is_anonymous: true })
    await write('ua_donations', { ...gift, donor_name: `${name}-guest` })
    await write('up_event_rsvps', {
      occurrence_id,
      masjid_id: id,
      guest_name: `${name}-guest`,
      guest_email: 'guest@example.org',
    })
    for (const [person, , values] of people.filter(([, at]) => at === name)) {
      const household_id = await write('ua_households', { masjid_id: id, name: person })
      const member_id = await write('ua_members', { masjid_id: id, household_id, given_name: person, ...values })
      await write('ua_donations', { ...gift, member_id })
      await write('ua_recurring_donations', {
        masjid_id: id,
        member_id,
        amount_minor: 100,
        currency: 'USD',
        next_on: '2100-01-01',
      })
      await write('up_event_rsvps', { occurrence_id, masjid_id: id, member_id })
    }
  }
})

/** Each table's rows by the person they are about, looked up as the owner so that names never depend on the policy. */
const visible = async (settings: Record<string, string>, table: string): Promise<string[]> => {
  const seen = await model().read<{ id: string }>(settings, sql`select id from ${identifier('public', table)}`)
  const names = await model().owner.query<{ name: string }>(sql`
    select coalesce(member.given_name, record.document ->> 'given_name', record.document ->> 'guest_name',
      record.document ->> 'donor_name', record.document ->> 'name', record.document ->> 'title',
      (select masjid.name || '-nobody' from up_masjids masjid where masjid.id::text = record.document ->> 'masjid_id')) as name
    from (select to_jsonb(stored) as document from ${identifier('public', table)} stored
          where id = any (${seen.map(row => row.id)}::uuid[])) record
    left join ua_members member on member.id::text = record.document ->> 'member_id'
    order by 1`)
  return names.map(row => row.name)
}

const atA = people.flatMap(([name, masjid]) => (masjid === 'a' ? [name] : []))
const atB = people.flatMap(([name, masjid]) => (masjid === 'b' ? [name] : []))
const list = (...ids: string[]) => `{${ids.join()}}`
const sorted = (...names: string[]) => names.sort()

interface Asker {
  readonly settings: Record<string, string>
  /** Members, and also those whose households, recurring gifts and RSVPs are visible. */
  readonly members: readonly string[]
  readonly guests?: readonly string[]
  readonly nobodies?: readonly string[]
  readonly campaigns?: readonly string[]
}

const bothNobodies = ['a-nobody', 'b-nobody']
const bothGuests = ['a-guest', 'b-guest']
const bothCampaigns = ['a-campaign', 'b-campaign']
const allOfA = { members: atA, guests: ['a-guest'], nobodies: ['a-nobody'], campaigns: ['a-campaign'] }

const askers: Readonly<Record<string, Asker>> = {
  'nobody (settings not set)': { settings: {}, members: [] },
  'nobody (settings empty)': { settings: { user_id: '', masjids: '', own_masjids: '' }, members: [] },
  'a stranger with an account': { settings: { user_id: users.stranger }, members: [] },
  'a member of both masjids': {
    settings: { user_id: users.member },
    members: ['a-member', 'b-member'],
    campaigns: bothCampaigns,
  },
  'an imam, who holds no office over data': {
    settings: { user_id: users.imam },
    members: ['a-imam'],
    campaigns: ['a-campaign'],
  },
  'a former board member': { settings: { user_id: users.formerBoard }, members: ['a-former'] },
  'a board member': { settings: { user_id: users.board }, ...allOfA },
  'an administrator': { settings: { user_id: users.admin }, ...allOfA },
  'an app given all masjids': {
    settings: { masjids: '*' },
    members: ['a-open', 'b-open'],
    nobodies: bothNobodies,
    campaigns: bothCampaigns,
  },
  'an app given one masjid': {
    settings: { masjids: list(masjids.b) },
    members: ['b-open'],
    nobodies: ['b-nobody'],
    campaigns: ['b-campaign'],
  },
  'an app given none': { settings: { masjids: '{}' }, members: [] },
  'the own app of A, given A': { settings: { masjids: list(masjids.a), own_masjids: list(masjids.a) }, ...allOfA },
  'the own app of A, given all': {
    settings: { masjids: '*', own_masjids: list(masjids.a) },
    members: [...atA, 'b-open'],
    guests: ['a-guest'],
    nobodies: bothNobodies,
    campaigns: bothCampaigns,
  },
  'the own app of A, given only B': {
    settings: { masjids: list(masjids.b), own_masjids: list(masjids.a) },
    members: ['b-open'],
    nobodies: ['b-nobody'],
    campaigns: ['b-campaign'],
  },
  'everybody’s own app, given A': { settings: { masjids: list(masjids.a), own_masjids: '*' }, ...allOfA },
  'everybody’s own app, given all': {
    settings: { masjids: '*', own_masjids: '*' },
    members: [...atA, ...atB],
    guests: bothGuests,
    nobodies: bothNobodies,
    campaigns: bothCampaigns,
  },
  'an own app that was given nothing': { settings: { own_masjids: '*' }, members: [] },
}

for (const [who, { settings, members, guests = [], nobodies = [], campaigns = [] }] of Object.entries(askers)) {
  test(`what ${who} sees`, async () => {
    assert.deepEqual(await visible(settings, 'ua_members'), sorted(...members), 'members')
    assert.deepEqual(await visible(settings, 'ua_households'), sorted(...members), 'households')
    assert.deepEqual(await visible(settings, 'ua_recurring_donations'), sorted(...members), 'recurring gifts')
    assert.deepEqual(await visible(settings, 'up_event_rsvps'), sorted(...members, ...guests), 'RSVPs')
    assert.deepEqual(await visible(settings, 'ua_donations'), sorted(...members, ...guests, ...nobodies), 'gifts')
    assert.deepEqual(await visible(settings, 'ua_campaigns'), sorted(...campaigns), 'campaigns')
  })
}

test('withdrawing consent hides a person, and the person’s gifts, at once', async () => {
  const { owner } = model()
  await owner.run(sql`update ua_members set consent_api_sharing = false where given_name = 'a-open'`)
  try {
    assert.deepEqual(await visible({ masjids: '*' }, 'ua_members'), ['b-open'])
    assert.deepEqual(await visible({ masjids: '*' }, 'ua_donations'), ['a-nobody', 'b-nobody', 'b-open'])
    assert.deepEqual(await visible({ masjids: '*' }, 'up_event_rsvps'), ['b-open'])
  } finally {
    await owner.run(sql`update ua_members set consent_api_sharing = true where given_name = 'a-open'`)
  }
})

test('a malformed setting is an error, not an open door', async () => {
  await assert.rejects(visible({ masjids: 'all' }, 'ua_members'), /malformed array/)
  await assert.rejects(visible({ user_id: '*' }, 'ua_members'), /invalid input syntax for type uuid/)
})

test('a temporary table of the same name does not fool a policy', async () => {
  const seen = await model().owner.transaction(async transaction => {
    await transaction.run(
      sql`create temporary table ua_members (masjid_id uuid, user_id uuid, role text, status text, deleted_at timestamptz) on commit drop`,
    )
    await transaction.run(
      sql`insert into pg_temp.ua_members values (${masjids.b}, ${users.stranger}, 'admin', 'active', null)`,
    )
    await transaction.run(sql`grant select on pg_temp.ua_members to minaret_reader`)
    await transaction.run(sql`select set_config('minaret.user_id', ${users.stranger}, true)`)
    await transaction.run(sql`set local role minaret_reader`)
    return transaction.query(sql`select id from public.ua_donations`)
  })
  assert.deepEqual(seen, [])
})
