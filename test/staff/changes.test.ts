// Who did what at a masjid: each sees the changes of what they look after, and nothing of others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languages } from '../../src/accounts/languages.ts'
import { tablesCoveredBy } from '../../src/audit/covered-tables.ts'
import { capabilityNames } from '../../src/base/capability-names.ts'
import { sql } from '../../src/db/sql.ts'
import { textsFor } from '../../src/site/texts/texts.ts'
import { useMinaret } from '../support/minaret.ts'
import { makeMasjid, makeStaff, visitAs } from './use-staff.ts'

describe('who did what', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const event = { title: 'Seerah lecture', date: '2030-05-01', time: '19:30', duration: '60', repeat: 'once' }

  test('is told to those who look after it, with name, time and old values, and with filters', async () => {
    const masjid = await makeMasjid(database())
    const user = await makeStaff(database(), { masjid, capabilities: ['events', 'capabilities'] })
    await database().run(sql`update minaret.users set name = 'Zaynab Karimi' where id = ${user.id}`)
    const person = await visitAs(minaret(), user)
    const base = `/staff/${masjid.slug}`
    const created = await person.submit(`${base}/events/new`, `${base}/events/new`, event)
    const path = created.location?.split('?')[0] ?? ''
    await person.submit(path, path, { ...event, title: 'Renamed lecture' })
    const other = await makeStaff(database(), { masjid, capabilities: ['times'] })
    const others = `${base}/team/people/${other.id}`
    await person.submit(others, others, { capabilities: 'giving' })
    const { text } = await person.get(`${base}/changes`)
    assert.match(text, /Renamed lecture/)
    assert.ok(text.includes('<bdi>Zaynab Karimi</bdi>'))
    assert.match(text, /Who may do what<\/strong>/)
    const only = (await person.get(`${base}/changes?table=up_events&kind=update&person=${user.id}`)).text
    assert.match(only, /Seerah lecture[\s\S]*Renamed lecture/)
    assert.ok(!only.includes('Who may do what</strong>'))
    assert.match((await person.get(`${base}/changes?to=2020-01-01`)).text, /Nothing was changed/)
  })

  test('has a name in every language for every table', async () => {
    const covered = await tablesCoveredBy(database(), capabilityNames)
    assert.ok(covered.length > 10)
    for (const language of languages) {
      const { tables } = textsFor(language).staffChanges
      assert.deepEqual(
        covered.filter(name => !Object.hasOwn(tables, name)),
        [],
        language,
      )
    }
  })

  test('says nothing about what the visitor does not look after, nor about other masjids', async () => {
    const masjid = await makeMasjid(database())
    const elsewhere = await makeMasjid(database())
    for (const [id, title] of [
      [masjid.id, 'Secret here'],
      [elsewhere.id, 'Secret elsewhere'],
    ])
      await database().run(sql`
        insert into public.up_events (masjid_id, title, starts_local, timezone) values (${id}, ${title}, '2030-01-01T10:00', 'UTC')`)
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['announcements'] }))
    const { text } = await person.get(`/staff/${masjid.slug}/changes?table=up_events`)
    assert.ok(!text.includes('Secret here') && !text.includes('Secret elsewhere'))
    const events = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events'] }))
    const seen = (await events.get(`/staff/${masjid.slug}/changes?masjid=${elsewhere.id}`)).text
    assert.ok(seen.includes('Secret here') && !seen.includes('Secret elsewhere'))
  })

  test('names members who answered only to those who look after people', async () => {
    const masjid = await makeMasjid(database())
    const member = await makeStaff(database(), { masjid })
    await database().run(sql`update minaret.users set name = 'Zaynab Karimi' where id = ${member.id}`)
    await database().transaction(async transaction => {
      await transaction.query(sql`select set_config('minaret.user_id', ${member.id}, true)`)
      await transaction.run(sql`
        with event as (
          insert into public.up_events (masjid_id, title, starts_local, timezone)
          values (${masjid.id}, 'Lecture', '2030-01-01T10:00', 'UTC') returning id)
        insert into public.up_event_occurrences (event_id, masjid_id, starts_local, starts_at, ends_at)
        select id, ${masjid.id}, '2030-01-01T10:00', '2030-01-01T10:00Z', '2030-01-01T11:00Z' from event`)
      await transaction.run(sql`
        insert into public.up_event_rsvps (occurrence_id, masjid_id, member_id)
        select occurrence.id, ${masjid.id}, member.id from public.up_event_occurrences occurrence, public.ua_members member
        where occurrence.masjid_id = ${masjid.id} and member.user_id = ${member.id}`)
    })
    const path = `/staff/${masjid.slug}/changes?table=up_event_rsvps`
    const events = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events'] }))
    const hidden = (await events.get(path)).text
    assert.match(hidden, /the person themselves/)
    assert.ok(!hidden.includes('Zaynab'))
    const both = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events', 'people'] }))
    assert.ok((await both.get(path)).text.includes('<bdi>Zaynab Karimi</bdi>'))
  })
})
