// Somebody who looks after people gives an account of their own the gifts of a member, by a link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { ensureMember } from '../../../src/capabilities/ensure-member.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { findPerson } from '../../../src/own-data/person.ts'
import { insertRow, useDatabase } from '../../data-model/use-database.ts'
import { writeAs } from '../../data-model/writing.ts'
import { actors, fillWritingActors, masjids, memberOf, users } from '../../data-model/writing-actors.ts'

const model = useDatabase(fillWritingActors)
const nothing = { members: 0, households: 0, gifts: 0, recurring: 0, answers: 0 }
const everything = { members: 1, households: 1, gifts: 1, recurring: 1, answers: 1 }

interface Victim {
  readonly id: string
  readonly email: string
  /** An account whose confirmed address is the one on record. */
  readonly account: string
}

let made = 0

const makeAccount = async (email: string): Promise<string> => {
  const row = await model().owner.first<{ id: string }>(sql`
    insert into minaret.users (email, name, email_verified_at) values (${email}, 'Second', now()) returning id`)
  return row?.id ?? ''
}

/** A member with everything that a member can have; nobody signs in for them yet. */
const makeVictim = async (): Promise<Victim> => {
  const { owner } = model()
  const email = `giver-${++made}@example.org`
  const here = { masjid_id: masjids.a }
  const household_id = await insertRow(owner, 'ua_households', { id: crypto.randomUUID(), ...here, name: 'Theirs' })
  const id = await insertRow(owner, 'ua_members', {
    id: crypto.randomUUID(),
    ...here,
    household_id,
    given_name: 'Giver',
  })
  const gift = { ...here, member_id: id, amount_minor: 500, currency: 'USD' }
  await insertRow(owner, 'ua_recurring_donations', { id: crypto.randomUUID(), ...gift, next_on: '2100-01-01' })
  const received = { method: 'cash', status: 'succeeded', received_at: '2026-01-01T00:00:00Z' }
  await insertRow(owner, 'ua_donations', { id: crypto.randomUUID(), ...gift, ...received })
  await owner.run(sql`
    insert into up_event_rsvps (occurrence_id, member_id)
    select id, ${id} from up_event_occurrences where masjid_id = ${masjids.a}`)
  return { id, email, account: await makeAccount(email) }
}

const as = (who: string, statement: Sql) => writeAs(model().owner, actors[who] ?? {}, statement)
const setAddress = (who: string, { id }: Victim, email: string | null) =>
  as(who, sql`update ua_members set email = ${email} where id = ${id}`)
const link = (who: string, { id, account }: Victim) => as(who, sql`select id from ua_link_account(${id}, ${account})`)
/** As if the address had been put on record that many days before it was. */
const age = ({ id }: Victim, days: number) =>
  model().owner.run(sql`
    update member_addresses set set_at = set_at - make_interval(days => ${days}) where member_id = ${id}`)

const settingsOf = (account: string) => ({ user_id: account, masjids: '{}', own_masjids: '{}' })

const accept = async ({ id, account }: Victim): Promise<string> => {
  const [row] = await model().asking<{ outcome: string }>(
    settingsOf(account),
    sql`select accept_member_link(${id}) as outcome`,
  )
  return row?.outcome ?? ''
}

const confirm = async (who: string, { id, account }: Victim): Promise<boolean> => {
  const [row] = await model().asking<{ done: boolean }>(
    actors[who] ?? {},
    sql`select confirm_member_link(${id}, ${account}) as done`,
  )
  return row?.done === true
}

/** Apart from a membership that an invitation made. */
const seenBy = async ({ id, account }: Victim): Promise<typeof nothing | undefined> => {
  const rows = await model().read<typeof nothing>(
    settingsOf(account),
    sql`select (select count(*)::int from ua_members where id = ${id}) as members,
      (select count(*)::int from ua_households) as households, (select count(*)::int from ua_donations) as gifts,
      (select count(*)::int from ua_recurring_donations) as recurring,
      (select count(*)::int from up_event_rsvps) as answers`,
  )
  return rows[0]
}

/** What the download has and the erasure takes is found by this. */
const ownData = async ({ account }: Victim) => {
  const { memberIds, householdIds } = await findPerson(model().owner, account, { alone: false })
  return [...memberIds, ...householdIds]
}

test('a link to an account of one’s own shows it nothing, also once accepted, with an address that oneself put there', async () => {
  const victim = await makeVictim()
  await setAddress('people', victim, victim.email)
  await age(victim, 400)
  await link('people', victim)
  assert.deepEqual(await seenBy(victim), nothing)
  assert.equal(await accept(victim), 'waits')
  assert.deepEqual(await seenBy(victim), nothing)
  assert.deepEqual(await ownData(victim), [])
})

test('an address that somebody else put there opens it after thirty days, once the account accepts', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, victim.email)
  await age(victim, 29)
  await link('people', victim)
  assert.equal(await accept(victim), 'waits')
  assert.deepEqual(await seenBy(victim), nothing)
  await age(victim, 2)
  await link('people', victim)
  assert.deepEqual(await seenBy(victim), nothing, 'a new link is accepted anew')
  assert.equal(await accept(victim), 'linked')
  assert.deepEqual(await seenBy(victim), everything)
  assert.equal((await ownData(victim)).length, 2)
})

test('an address that is not the account’s, or that the account put there itself, proves nothing', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, `other-${victim.email}`)
  await age(victim, 31)
  await link('people', victim)
  assert.equal(await accept(victim), 'waits')
  const own = await makeVictim()
  const accomplice = users.board
  await model().owner.run(sql`
    update minaret.users set email_verified_at = now() where id = ${accomplice}`)
  await setAddress('board', own, `${accomplice}@example.org`)
  await age(own, 31)
  await link('people', { ...own, account: accomplice })
  assert.equal(await accept({ ...own, account: accomplice }), 'waits')
})

test('an address that is not confirmed proves nothing', async () => {
  const victim = await makeVictim()
  await model().owner.run(sql`update minaret.users set email_verified_at = null where id = ${victim.account}`)
  await setAddress('admin', victim, victim.email)
  await age(victim, 31)
  await link('people', victim)
  assert.equal(await accept(victim), 'waits')
})

test('changing the address after the link, and changing it back, proves nothing however long one waits', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, 'before@example.org')
  await age(victim, 400)
  await link('people', victim)
  await setAddress('people', victim, victim.email)
  assert.equal(await accept(victim), 'waits')
  await age(victim, 400)
  assert.equal(await accept(victim), 'waits')
  const second = await makeVictim()
  await setAddress('admin', second, second.email)
  await age(second, 400)
  await setAddress('people', second, null)
  await setAddress('people', second, second.email)
  await age(second, 400)
  await link('people', second)
  assert.equal(await accept(second), 'waits')
  assert.deepEqual(await seenBy(second), nothing)
})

test('a second person with “capabilities” confirms it: not who linked, not the account, and not before it accepts', async () => {
  const victim = await makeVictim()
  await link('people', victim)
  assert.equal(await confirm('capabilities', victim), false, 'not accepted yet')
  assert.equal(await accept(victim), 'waits')
  for (const who of ['people', 'giving', 'member', 'dismissed', 'the own app of another masjid'])
    await assert.rejects(confirm(who, victim), who)
  assert.equal(await confirm('the own app', victim), false, 'an app is nobody')
  assert.deepEqual(await seenBy(victim), nothing)
  assert.equal(await confirm('capabilities', { ...victim, account: users.member }), false, 'another account')
  assert.equal(await confirm('capabilities', victim), true)
  assert.deepEqual(await seenBy(victim), everything)
  const own = await makeVictim()
  await link('admin', own)
  await accept(own)
  assert.equal(await confirm('admin', own), false, 'who linked')
  assert.deepEqual(await seenBy(own), nothing)
})

test('an account that is the second person confirms nothing for itself', async () => {
  const victim = { ...(await makeVictim()), account: users.capabilities }
  await link('people', victim)
  assert.equal(await accept(victim), 'waits')
  assert.equal(await confirm('capabilities', victim), false)
})

test('who links by an app without a person needs a second person', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, victim.email)
  await age(victim, 31)
  await link('the own app', victim)
  assert.equal(await accept(victim), 'waits')
  assert.equal(await confirm('admin', victim), true)
})

test('an address that an app put there by itself proves nothing: who links may hold its key', async () => {
  const victim = await makeVictim()
  await setAddress('the own app', victim, victim.email)
  await age(victim, 400)
  await link('people', victim)
  assert.equal(await accept(victim), 'waits')
  assert.deepEqual(await seenBy(victim), nothing)
  assert.equal(await confirm('capabilities', victim), true)
})

test('others than the account neither accept nor decline, and a declined link is gone', async () => {
  const victim = await makeVictim()
  await link('people', victim)
  assert.equal(await accept({ ...victim, account: users.people }), 'none')
  const decline = (account: string) =>
    model().asking<{ done: boolean }>(settingsOf(account), sql`select decline_member_link(${victim.id}) as done`)
  assert.deepEqual(await decline(users.people), [{ done: false }])
  assert.deepEqual(await decline(victim.account), [{ done: true }])
  assert.equal(await accept(victim), 'none')
})

test('the API’s roles read no link and open none', async () => {
  const victim = await makeVictim()
  await link('people', victim)
  for (const statement of [
    sql`update member_links set confirmed_by = gen_random_uuid()`,
    sql`select * from member_links`,
    sql`update member_addresses set set_at = now() - interval '1 year'`,
    sql`select open_member_link(${victim.id})`,
    sql`select confirm_member_link(${victim.id}, ${victim.account})`,
    sql`select accept_member_link(${victim.id})`,
    sql`update ua_members set user_id = ${victim.account} where id = ${victim.id}`,
  ])
    await assert.rejects(as('people', statement), { code: '42501' })
})

/** As `acceptInvitation` does, in the name of whoever invited. */
const invite = (inviter: string, { account }: Victim): Promise<void> =>
  model().owner.transaction(async transaction => {
    for (const [name, value] of Object.entries(actors[inviter] ?? {}))
      await transaction.run(sql`select set_config(${`minaret.${name}`}, ${value}, true)`)
    const user = { id: account, name: 'Second' } as User
    await ensureMember(transaction, { masjidId: masjids.a, user, accepted: true })
    await transaction.run(sql`select ua_grant_capability(${masjids.a}, ${account}, 'times')`)
  })

const held = ({ account }: Victim) =>
  model().owner.query(sql`select capability from ua_capabilities where user_id = ${account} and withdrawn_at is null`)

test('an invitation to an address that the inviter put on record gives capabilities, and no gifts', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, victim.email)
  await age(victim, 400)
  await invite('admin', victim)
  assert.deepEqual(await held(victim), [{ capability: 'times' }])
  assert.deepEqual(await seenBy(victim), nothing)
  assert.equal(await accept(victim), 'waits')
  assert.equal(await confirm('admin', victim), false, 'who invited')
  assert.equal(await confirm('capabilities', victim), true)
  assert.deepEqual(await seenBy(victim), everything)
  assert.deepEqual(
    await held(victim),
    [{ capability: 'times' }],
    'capabilities stay when the membership is the one on record',
  )
})

test('an invitation to an address that somebody else put on record long ago links at once; a fresh one waits', async () => {
  const known = await makeVictim()
  await setAddress('people', known, known.email)
  await age(known, 31)
  await invite('admin', known)
  assert.deepEqual(await seenBy(known), everything)
  const fresh = await makeVictim()
  await setAddress('people', fresh, fresh.email)
  await invite('admin', fresh)
  assert.deepEqual(await seenBy(fresh), nothing)
  assert.deepEqual(await held(fresh), [{ capability: 'times' }])
  await age(fresh, 31)
  assert.equal(await accept(fresh), 'linked')
  assert.deepEqual(await seenBy(fresh), everything)
})

test('accepting while who links changes the address, or links again, opens nothing that is not proven', async () => {
  for (let round = 0; round < 5; round += 1) {
    const victim = await makeVictim()
    await setAddress('admin', victim, `somebody-${victim.email}`)
    await age(victim, 31)
    await link('people', victim)
    const outcomes = await Promise.all([
      accept(victim),
      setAddress('people', victim, victim.email),
      link('people', victim),
      accept(victim),
    ])
    assert.ok(!outcomes.includes('linked'))
    assert.deepEqual(await seenBy(victim), nothing)
  }
})

test('an account with gifts of its own at the masjid is not linked to a second member; its answers to events go along', async () => {
  const { owner } = model()
  const gifted = { ...(await makeVictim()), account: users.giving }
  const gift = { masjid_id: masjids.a, member_id: memberOf('giving'), amount_minor: 500, currency: 'USD' }
  await insertRow(owner, 'ua_recurring_donations', { id: crypto.randomUUID(), ...gift, next_on: '2100-01-01' })
  await link('people', gifted)
  assert.equal(await accept(gifted), 'waits')
  assert.equal(await confirm('admin', gifted), false)
  const answered = { ...(await makeVictim()), account: users.events }
  await owner.run(sql`
    insert into up_event_rsvps (occurrence_id, member_id, party_size)
    select id, ${memberOf('events')}, 3 from up_event_occurrences where masjid_id = ${masjids.a}`)
  await link('people', answered)
  assert.equal(await accept(answered), 'waits')
  assert.equal(await confirm('admin', answered), true)
  const rows = await owner.query<{ user_id: string; party_size: number }>(sql`
    select user_id, party_size from up_event_rsvps where member_id = ${answered.id}`)
  assert.ok(rows.length > 0)
  for (const row of rows) assert.deepEqual(row, { user_id: users.events, party_size: 3 })
})

test('a dismissed member who is listed with the address is given nothing by an invitation', async () => {
  const victim = await makeVictim()
  await setAddress('admin', victim, victim.email)
  await model().owner.run(sql`update ua_members set status = 'inactive' where id = ${victim.id}`)
  await assert.rejects(invite('admin', victim), { constraint: 'ua_capabilities_member_check' })
  assert.deepEqual(await seenBy(victim), nothing)
})

test('a link that was in force before stays', async () => {
  const [own] = await model().read<{ members: number }>(
    settingsOf(users.member),
    sql`select count(*)::int as members from ua_members`,
  )
  assert.equal(own?.members, 1)
})
