// The details of a masjid: each part changed by those who look after it, with the rules of the database in words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { aboutColumns, calculationColumns } from '../../src/site/staff/details/masjid-details.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { askAboutRule, type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

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

  test('each have a field: a column without one would be emptied by the next who saves', async () => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin', capabilities: [] }))
    const { text } = await person.get(`/staff/${masjid.slug}/details`)
    for (const name of [...aboutColumns, ...calculationColumns])
      assert.match(text, new RegExp(name === 'adjustments' ? ' id="adjustments"' : ` name="${name}"`), name)
  })

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

  test('keep a method and what a masjid offers that this version does not know', async () => {
    await database().run(sql`alter type public.pc_calculation_method add value 'Moon'`)
    await database().run(sql`alter type public.up_facility add value 'roof_garden'`)
    const masjid = await makeMasjid(database())
    await database().run(sql`
      update public.up_masjids set calculation_method = 'Moon', facilities = '{roof_garden}' where id = ${masjid.id}`)
    const capabilities = ['announcements', 'times'] as const
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities }))
    const { text } = await person.get(`/staff/${masjid.slug}/details`)
    assert.match(text, /<option value="Moon" selected>Moon</)
    assert.match(text, /value="roof_garden" checked/)
    await save(person, masjid, { phone: '+44 113 496 0001', facilities: 'roof_garden' })
    assert.deepEqual(
      await database().first(sql`
        select phone, calculation_method as method, facilities::text from public.up_masjids where id = ${masjid.id}`),
      { phone: '+44 113 496 0001', method: 'Moon', facilities: '{roof_garden}' },
    )
    // Other files wait until the times of every masjid are made.
    await database().run(sql`update public.up_masjids set calculation_method = 'Karachi' where id = ${masjid.id}`)
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

  const london = {
    latitude: 51.5072,
    longitude: -0.1276,
    timezone: 'Europe/London',
    calculation_method: 'MuslimWorldLeague',
  }
  const ruleOf = (masjid: Masjid) =>
    database().first<{ rule: string | null; asked: boolean; version: string }>(sql`
      select high_latitude_rule as rule, high_latitude_rule_to_confirm as asked, version::text from public.up_masjids
      where id = ${masjid.id}`)
  test('compare every rule for high latitudes: today, at the solstice, and where it jumps', async () => {
    const masjid = await makeMasjid(database(), london)
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const { text } = await person.get(`/staff/${masjid.slug}/details`)
    const [, rules = ''] = /<summary>The rules compared<\/summary>([\s\S]*?)<\/details>/.exec(text) ?? []
    const entries = [...rules.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, entry = '']) =>
      entry
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    assert.equal(entries.length, 8)
    assert.match(
      entries[0] ?? '',
      /^the angle where it is reached, .* in force .* Today 21 June .*Fajr \d\d:\d\d 03:40 Isha \d\d:\d\d 22:25 /,
    )
    assert.match(entries[0] ?? '', /Jumps by up to 1\d\d minutes: /)
    assert.match(entries[2] ?? '', /^at most a seventh .* No jump: at most \d minutes/)
    assert.match(
      entries[7] ?? '',
      /^the angle, otherwise nothing .* Fajr \d\d:\d\d – Isha \d\d:\d\d – .*Days without, .*: Fajr \(\d\d\), Isha \(\d\d\)/,
    )
    const tropical = await makeMasjid(database(), { latitude: 1.35, longitude: 103.8, timezone: 'Asia/Singapore' })
    const other = await visitAs(minaret(), await makeStaff(database(), { masjid: tropical, capabilities: ['times'] }))
    assert.match((await other.get(`/staff/${tropical.slug}/details`)).text, /all rules give the same times all year/)
  })

  test('take every rule for high latitudes', async () => {
    const masjid = await makeMasjid(database(), london)
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    for (const rule of ['nearest_latitude_45', 'nearest_latitude_48_5', 'nearest_day', 'none', 'twilight_angle', '']) {
      const sent = await save(person, masjid, { high_latitude_rule: rule })
      assert.match(sent.location ?? sent.text, /done=saved/)
      assert.equal((await ruleOf(masjid))?.rule, rule === '' ? null : rule)
    }
  })

  test('ask once whether the rule that an upgrade wrote stays, and keep the times if it does', async () => {
    const masjid = await makeMasjid(database(), london)
    await askAboutRule(database(), masjid)
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const [details, answer] = [`/staff/${masjid.slug}/details`, `/staff/${masjid.slug}/details/rule`]
    for (const path of [`/staff/${masjid.slug}`, `/staff/${masjid.slug}/times`])
      assert.match((await person.get(path)).text, /details#rule-question/)
    const { text } = await person.get(details)
    const [, question = ''] = /id="rule-question">([\s\S]*?)<\/section>/.exec(text) ?? []
    assert.equal([...question.matchAll(/<li>/g)].length, 2)
    const outsider = await visitAs(
      minaret(),
      await makeStaff(database(), { masjid, capabilities: ['events', 'announcements'] }),
    )
    assert.ok(!(await outsider.get(details)).text.includes('rule-question'))
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await outsider.get(details)).text)?.[1] ?? ''
    assert.equal((await outsider.post(answer, { anti_forgery: token, answer: 'angle', version: '2' })).status, 403)
    const version = (await ruleOf(masjid))?.version ?? ''
    assert.equal((await person.submit(details, answer, { answer: 'perhaps', version })).status, 404)
    assert.match(
      (await person.submit(details, answer, { answer: 'angle', version: '1' })).location ?? '',
      /done=conflict/,
    )
    assert.equal((await ruleOf(masjid))?.asked, true)
    assert.match((await person.submit(details, answer, { answer: 'keep', version })).location ?? '', /done=kept/)
    assert.deepEqual(await ruleOf(masjid), {
      rule: 'seventh_of_the_night',
      asked: false,
      version: String(Number(version) + 1),
    })
    assert.ok(!(await person.get(`${details}?done=kept`)).text.includes('rule-question'))
    const trail = await database().first<{ changed_columns: string[]; user_id: string | null }>(sql`
      select changed_columns, user_id from public.written_rows
      where masjid_id = ${masjid.id} and 'high_latitude_rule_to_confirm' = any (changed_columns) and user_id is not null`)
    assert.deepEqual(trail?.changed_columns, ['high_latitude_rule_to_confirm'])
  })

  test('use the angle if that is the answer; any other rule is an answer too, and nobody asks again', async () => {
    const [masjid, other] = [await makeMasjid(database(), london), await makeMasjid(database(), london)]
    for (const one of [masjid, other]) await askAboutRule(database(), one)
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const path = `/staff/${masjid.slug}/details`
    const version = (await ruleOf(masjid))?.version ?? ''
    const sent = await person.submit(path, `${path}/rule`, { answer: 'angle', version })
    assert.match(sent.location ?? sent.text, /done=angle/)
    const { rule, asked } = (await ruleOf(masjid)) ?? {}
    assert.deepEqual([rule, asked], [null, false])
    const theirs = await visitAs(minaret(), await makeStaff(database(), { masjid: other, capabilities: ['times'] }))
    assert.match((await save(theirs, other, { high_latitude_rule: 'nearest_day' })).location ?? '', /done=saved/)
    assert.equal((await ruleOf(other))?.asked, false)
    await database().run(sql`update public.up_masjids set high_latitude_rule_to_confirm = true where id = ${other.id}`)
    assert.equal((await ruleOf(other))?.asked, false)
  })
})
