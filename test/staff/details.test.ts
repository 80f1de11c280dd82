// The details of a masjid: each part changed by those who look after it, with the rules of the database in words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

/** Every field of the form as it stands on the page. */
const fieldsOn = (text: string): Record<string, string> => ({
  ...Object.fromEntries(
    [...text.matchAll(/<input type="(?!checkbox)[^"]*"[^>]* name="(\w+)"[^>]* value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  ),
  ...Object.fromEntries(
    [...text.matchAll(/<select[^>]* name="(\w+)"[\s\S]*?<\/select>/g)].map(([select, name = '']) => [
      name,
      /value="([^"]*)" selected/.exec(select)?.[1] ?? '',
    ]),
  ),
})

describe('the details of a masjid', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const rowOf = (masjid: Masjid) =>
    database().first<Record<string, unknown>>(sql`
      select name, phone, languages::text, madhab, adjustments, verification, version::int from public.up_masjids where id = ${masjid.id}`)
  const save = async (person: Person, masjid: Masjid, changed: Record<string, string>) => {
    const path = `/staff/${masjid.slug}/details`
    return person.submit(path, path, { ...fieldsOn((await person.get(path)).text), ...changed })
  }

  test('are changed by those who look after announcements: only what was typed', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['announcements'] }))
    const before = await rowOf(masjid)
    const sent = await save(person, masjid, { phone: '+44 113 496 0000', languages: 'en, ar ur', madhab: 'hanafi' })
    assert.match(sent.location ?? sent.text, /done=saved/)
    assert.deepEqual(await rowOf(masjid), {
      ...before,
      phone: '+44 113 496 0000',
      languages: '{en,ar,ur}',
      version: Number(before?.version) + 1,
    })
    const trail = await database().first<{ changed_columns: string[] }>(sql`
      select changed_columns from public.written_rows where masjid_id = ${masjid.id} and kind = 'update'`)
    assert.deepEqual(trail?.changed_columns.toSorted(), ['languages', 'phone'])
  })

  test('and how times are calculated by those who look after times', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const sent = await save(person, masjid, {
      madhab: 'hanafi',
      adjustments_fajr: '2',
      adjustments_isha: '-3',
      name: 'Forged',
    })
    assert.match(sent.location ?? sent.text, /done=saved/)
    const row = await rowOf(masjid)
    assert.deepEqual([row?.madhab, row?.adjustments], ['hanafi', { fajr: 2, isha: -3 }])
    assert.notEqual(row?.name, 'Forged')
    const events = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events'] }))
    const path = `/staff/${masjid.slug}/details`
    const shown = await events.get(path)
    assert.ok(!shown.text.includes('name="phone"') && !shown.text.includes('name="madhab"'))
    const token = /name="anti_forgery" value="([^"]*)"/.exec(shown.text)?.[1] ?? ''
    assert.equal((await events.post(path, { anti_forgery: token, name: 'Forged', version: '1' })).status, 403)
  })

  test('come back with what was typed, and the rule in words', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const sent = await save(person, masjid, { website: 'javascript:alert(1)', phone: '123 456 789' })
    assert.equal(sent.status, 422)
    assert.match(sent.text, /href="#website">[^<]*https/)
    assert.match(sent.text, /value="123 456 789"/)
    const numbers = await save(person, masjid, { latitude: 'north' })
    assert.match(numbers.text, /href="#latitude"/)
  })

  test('that somebody else changed meanwhile are not overwritten', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const path = `/staff/${masjid.slug}/details`
    const fields = fieldsOn((await person.get(path)).text)
    await database().run(sql`update public.up_masjids set phone = '+1 555 0100' where id = ${masjid.id}`)
    const refused = await person.submit(path, path, { ...fields, city: 'Elsewhere' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Somebody else changed the masjid[\s\S]*value="Elsewhere"/)
    assert.equal((await rowOf(masjid))?.phone, '+1 555 0100')
  })
})
