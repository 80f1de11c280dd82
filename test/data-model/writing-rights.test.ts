// Who may write what: every table, every kind of change, every kind of caller.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql, type Sql, sql } from '../../src/db/sql.ts'
import { useDatabase } from './use-database.ts'
import { tryAs } from './writing.ts'
import {
  actors,
  authority,
  type Capability,
  fillWritingActors,
  masjids,
  memberOf,
  place,
  rows,
  users,
} from './writing-actors.ts'

const model = useDatabase(fillWritingActors)

const holders = (capability: Capability): string[] => {
  const everywhere = ['the own app', 'an app given all as its own', 'service', 'admin', capability]
  return capability === 'capabilities' ? everywhere : [...everywhere, 'board']
}
/** Administrators of the service do not see people, their gifts and their answers, and so cannot change them. */
const amongPeople = (names: readonly string[]): string[] => names.filter(name => name !== 'service')
const everything = ['an app given all as its own', 'service']

/** Runs it for everybody and returns those for whom it changed a row; the others got an error or changed nothing. */
const whoMay = async (statement: Sql): Promise<string[]> => {
  const allowed: string[] = []
  for (const [name, settings] of Object.entries(actors)) {
    const outcome = await tryAs(model().owner, settings, statement)
    if (outcome === 1) allowed.push(name)
    else assert.ok([0, '42501', 'MN003'].includes(outcome), `${name}: ${outcome}`)
  }
  return allowed.sort()
}

const check = async (statement: Sql, expected: readonly string[]): Promise<void> =>
  assert.deepEqual(await whoMay(statement), [...new Set(expected)].sort())

const idIn = (table: keyof typeof place, masjid: 'a' | 'b' = 'a') => rows[masjid][place[table]]
const soft = (table: keyof typeof place) =>
  sql`update ${rawSql(table)} set deleted_at = now() where id = ${idIn(table)} returning id`

interface Case {
  readonly capability: Capability
  readonly insert?: (masjid: string) => Sql
  readonly change: string
  readonly people?: true
}

const cases: Readonly<Partial<Record<keyof typeof place, Case>>> = {
  up_events: {
    capability: 'events',
    insert: masjid =>
      sql`insert into up_events (masjid_id, title, starts_local, timezone) values (${masjid}, 'y', '2030-01-01', 'UTC') returning id`,
    change: `title = 'z'`,
  },
  up_event_occurrences: { capability: 'events', change: `capacity = 5` },
  up_announcements: {
    capability: 'announcements',
    insert: masjid =>
      sql`insert into up_announcements (masjid_id, texts) values (${masjid}, '{"en": {"title": "y"}}') returning id`,
    change: `urgent = true`,
  },
  ua_campaigns: {
    people: true,
    capability: 'giving',
    insert: masjid =>
      sql`insert into ua_campaigns (masjid_id, title, currency) values (${masjid}, 'y', 'USD') returning id`,
    change: `title = 'z'`,
  },
  ua_recurring_donations: { people: true, capability: 'giving', change: `status = 'paused', next_on = null` },
  ua_members: {
    people: true,
    capability: 'people',
    insert: masjid => sql`insert into ua_members (masjid_id, given_name) values (${masjid}, 'y') returning id`,
    change: `given_name = 'z'`,
  },
  ua_households: {
    people: true,
    capability: 'people',
    insert: masjid => sql`insert into ua_households (masjid_id, name) values (${masjid}, 'y') returning id`,
    change: `name = 'z'`,
  },
  pc_prayer_sources: {
    capability: 'times',
    insert: masjid =>
      sql`insert into pc_prayer_sources (masjid_id, kind, label, priority) values (${masjid}, 'manual', 'y', 7) returning id`,
    change: `label = 'z'`,
  },
  pc_iqamah_schedules: {
    capability: 'times',
    insert: masjid =>
      sql`insert into pc_iqamah_schedules (masjid_id, prayer, rule, offset_minutes) values (${masjid}, 'asr', 'offset', 5) returning id`,
    change: `offset_minutes = 25`,
  },
  pc_hijri_months: {
    capability: 'times',
    insert: masjid =>
      sql`insert into pc_hijri_months (masjid_id, hijri_year, hijri_month, starts_on) values (${masjid}, 1447, 9, '2026-02-18') returning id`,
    change: `starts_on = '2026-01-21'`,
  },
}

/** Tried below, each in its own way. */
const others = ['up_masjids', 'up_entities', 'pc_hijri_authorities', 'up_event_rsvps', 'ua_donations']

test('every table that may be written is tried', async () => {
  const writable = await model().owner.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and obj_description(oid, 'pg_class') ~ '(^|\n)@writable'`)
  assert.deepEqual([...Object.keys(cases), ...others].sort(), writable.map(({ name }) => name).sort())
})

for (const [name, { capability, insert, change, people }] of Object.entries(cases)) {
  const table = name as keyof typeof place
  const who = people ? amongPeople : (names: readonly string[]) => names
  describe(name, () => {
    if (insert !== undefined) {
      test('inserting at the masjid', () => check(insert(masjids.a), who(holders(capability))))
      test('inserting at another masjid', () =>
        check(insert(masjids.b), who([...everything, 'the own app of another masjid'])))
    }
    test('changing', () =>
      check(
        sql`update ${rawSql(table)} set ${rawSql(change)} where id = ${idIn(table)} returning id`,
        who(holders(capability)),
      ))
    test('changing at another masjid', () =>
      check(
        sql`update ${rawSql(table)} set ${rawSql(change)} where id = ${idIn(table, 'b')} returning id`,
        who([...everything, 'the own app of another masjid']),
      ))
    test('deleting', () => check(soft(table), who(holders(capability))))
  })
}

describe('up_masjids', () => {
  const change = (values: string) => sql`update up_masjids set ${rawSql(values)} where id = ${masjids.a} returning id`
  test('what the masjid tells about itself', () => check(change(`phone = '+1 555 0100'`), holders('announcements')))
  test('how its times are calculated', () => check(change(`madhab = 'hanafi'`), holders('times')))
  test('both at once need both', () =>
    check(change(`madhab = 'hanafi', phone = '+1 555 0100'`), [
      'the own app',
      'an app given all as its own',
      'service',
      'admin',
      'board',
    ]))
  test('its slug, its legal body and its deletion', async () => {
    for (const values of [`slug = 'z'`, `deleted_at = now()`]) await check(change(values), everything)
  })
  test('every column that may be sent is of a part that somebody looks after', async () => {
    const columns = await model().owner.query<{ name: string }>(sql`
      select attname::text as name from pg_attribute
      where attrelid = 'up_masjids'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname not in ('id', 'deleted_at')
        and coalesce(col_description(attrelid, attnum), '') !~ '(^|\n)@(preset|version|calculated)'`)
    const [split] = await model().owner.query<{ body: string }>(sql`
      select pg_get_functiondef('split_masjid'::regproc) as body`)
    const ofParts = new Set([...(split?.body ?? '').matchAll(/\(masjid\)\.(\w+)/g)].map(([, name]) => name))
    assert.deepEqual(
      columns.map(({ name }) => name).filter(name => !ofParts.has(name)),
      [],
    )
  })
  test('a new masjid', () =>
    check(
      sql`insert into up_masjids (slug, name, city, latitude, longitude, address, country, timezone)
          values ('new', 'x', 'x', 0, 0, 'x', 'US', 'UTC') returning id`,
      everything,
    ))
  test('its verification is nobody’s to send', () => check(change(`verification = 'verified'`), []))
  test('a verified masjid that changes its name or place is to be checked again', async () => {
    const { owner } = model()
    for (const [values, settings, expected] of [
      [`name = 'Other'`, actors.announcements, 'pending'],
      [`latitude = 5`, actors.announcements, 'pending'],
      [`phone = '+1 555 0100'`, actors.announcements, 'verified'],
      [`name = 'Other'`, actors.service, 'verified'],
    ] as const)
      assert.equal(
        await tryAs(
          owner,
          settings ?? {},
          change(values),
          sql`select from up_masjids where id = ${masjids.a} and verification = ${expected}::up_verification`,
        ),
        1,
        values,
      )
  })
})

describe('up_entities and pc_hijri_authorities', () => {
  test('are written by those who may write everything', async () => {
    await check(sql`insert into up_entities (legal_name, country) values ('x', 'US') returning id`, everything)
    await check(sql`insert into pc_hijri_authorities (name) values ('x') returning id`, everything)
    await check(
      sql`insert into pc_hijri_months (authority_id, hijri_year, hijri_month, starts_on) values (${authority}, 1447, 9, '2026-02-18') returning id`,
      everything,
    )
  })
})

describe('up_event_rsvps', () => {
  const occurrence = idIn('up_event_occurrences')
  const answer = (member: string, status = 'going') =>
    sql`insert into up_event_rsvps (occurrence_id, member_id, status) values (${occurrence}, ${member}, ${status}::up_rsvp_status) returning id`

  test('for somebody else', () => check(answer(memberOf('screens')), [...amongPeople(holders('events')), 'screens']))
  test('for oneself', () => check(answer(memberOf('member')), [...amongPeople(holders('events')), 'member']))
  test('for a guest', () =>
    check(
      sql`insert into up_event_rsvps (occurrence_id, guest_name, guest_email) values (${occurrence}, 'x', 'y@example.org') returning id`,
      amongPeople(holders('events')),
    ))
  test('changing and withdrawing another’s', async () => {
    await check(
      sql`update up_event_rsvps set party_size = 2 where id = ${idIn('up_event_rsvps')} returning id`,
      amongPeople(holders('events')),
    )
    await check(soft('up_event_rsvps'), amongPeople(holders('events')))
  })
  test('who attended is for the masjid to say', () =>
    check(answer(memberOf('member'), 'attended'), amongPeople(holders('events'))))
  test('somebody dismissed, or whose account is disabled, answers nothing', async () => {
    await check(answer(memberOf('dismissed')), amongPeople(holders('events')))
    await check(answer(memberOf('disabled')), amongPeople(holders('events')))
  })
  test('whoever withdrew can answer again', async () => {
    const again = answer(memberOf('member'))
    const outcome = await tryAs(
      model().owner,
      { ...actors.member },
      again,
      sql`update up_event_rsvps set deleted_at = now() where member_id = ${memberOf('member')}`,
      again,
    )
    assert.equal(outcome, 1)
  })
  test('nobody sends their place in the waiting list, nor the masjid', async () => {
    for (const column of ['responded_at = now()', `masjid_id = '${masjids.b}'`])
      await check(
        sql`update up_event_rsvps set ${rawSql(column)} where id = ${idIn('up_event_rsvps')} returning id`,
        [],
      )
  })
  test('an answer cannot be handed to somebody else', async () => {
    const outcome = await tryAs(
      model().owner,
      { ...actors.member },
      answer(memberOf('member')),
      sql`update up_event_rsvps set member_id = ${memberOf('board')} where member_id = ${memberOf('member')} returning id`,
    )
    assert.equal(outcome, '42501')
  })
})

describe('ua_donations', () => {
  const gift = (masjid: string) =>
    sql`insert into ua_donations (masjid_id, amount_minor, currency, method) values (${masjid}, 100, 'USD', 'cash') returning id`
  test('inserting', () => check(gift(masjids.a), amongPeople(holders('giving'))))
  test('inserting at another masjid', () =>
    check(gift(masjids.b), amongPeople([...everything, 'the own app of another masjid'])))
  test('changing or deleting: nobody', async () => {
    await check(sql`update ua_donations set amount_minor = 1 where id = ${idIn('ua_donations')} returning id`, [])
    await check(sql`delete from ua_donations where id = ${idIn('ua_donations')} returning id`, [])
    await check(soft('ua_donations'), [])
  })
  test('not even with rights that were given by mistake', async () => {
    const { owner } = model()
    await owner.run(sql`grant update, delete on ua_donations to minaret_writer`)
    try {
      await check(sql`update ua_donations set amount_minor = 1 where id = ${idIn('ua_donations')} returning id`, [])
      await check(sql`delete from ua_donations where id = ${idIn('ua_donations')} returning id`, [])
    } finally {
      await owner.run(sql`revoke update, delete on ua_donations from minaret_writer`)
    }
  })
})

describe('named functions', () => {
  test('verifying a masjid', () =>
    check(sql`select id from up_verify_masjid(${masjids.a}, 'disputed') where id is not null`, ['service']))
  test('agreeing to sharing', async () => {
    await check(sql`select id from ua_set_consent(${memberOf('member')}, true)`, ['member'])
    await check(sql`select id from ua_set_consent(${memberOf('dismissed')}, true)`, ['dismissed'])
    await check(sql`select id from ua_set_consent(${memberOf('disabled')}, true)`, [])
  })
  test('giving a role', () =>
    check(sql`select id from ua_set_role(${memberOf('member')}, 'admin')`, holders('capabilities')))
  test('linking an account to a member', async () => {
    await check(sql`select id from ua_link_account(${idIn('ua_members')}, ${users.service})`, holders('people'))
    await check(sql`select id from ua_link_account(${memberOf('times')}, null)`, [
      'the own app',
      ...everything,
      'admin',
    ])
  })
  test('announcing a month', async () => {
    await check(
      sql`select id from pc_announce_hijri_month(1447, 9, '2026-02-18', masjid_id => ${masjids.a})`,
      holders('times'),
    )
  })
  test('granting and withdrawing capabilities', async () => {
    await check(
      sql`select id from ua_grant_capability(${masjids.a}, ${users.member}, 'times')`,
      holders('capabilities'),
    )
    await check(
      sql`select id from ua_withdraw_capability(${masjids.a}, ${users.events}, 'events')`,
      holders('capabilities'),
    )
  })
})

test('what follows from other rows, and what named functions decide, is nobody’s to send', async () => {
  const preset: readonly (readonly [keyof typeof place, string])[] = [
    ['up_events', 'going_count = 0'],
    ['up_events', 'created_at = now()'],
    ['up_events', 'version = 9'],
    ['up_event_occurrences', 'going_count = 0'],
    ['up_event_occurrences', `starts_local = '2030-01-01'`],
    ['ua_campaigns', 'raised_minor = 5'],
    ['ua_members', `role = 'admin'`],
    ['ua_members', `user_id = '${users.people}'`],
    ['ua_members', 'consent_api_sharing = true, consent_at = now()'],
  ]
  for (const [table, values] of preset)
    await check(sql`update ${rawSql(table)} set ${rawSql(values)} where id = ${idIn(table)} returning id`, [])
})

test('a row never moves to a masjid where its writer may not write', async () => {
  for (const table of [
    'up_events',
    'up_announcements',
    'ua_campaigns',
    'ua_households',
    'pc_prayer_sources',
    'pc_iqamah_schedules',
    'pc_hijri_months',
  ] as const) {
    const move = sql`update ${rawSql(table)} set masjid_id = ${masjids.b} where id = ${idIn(table)} returning id`
    for (const actor of ['the own app', 'admin', ...Object.keys(users)])
      if (actor !== 'service') {
        const outcome = await tryAs(model().owner, actors[actor] ?? {}, move)
        assert.ok([0, '42501', 'MN003'].includes(outcome), `${table} ${actor}: ${outcome}`)
      }
  }
})
