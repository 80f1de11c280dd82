// What the database refuses is said in the language of the page, rule by rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { translateRule } from '../../src/site/staff/refusals/refusal-words.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

const written = [
  'pc_hijri_months',
  'pc_iqamah_changes',
  'pc_iqamah_schedules',
  'pc_prayer_sources',
  'pc_timetable_days',
  'pc_timetables',
  'ua_campaigns',
  'ua_capabilities',
  'ua_donations',
  'ua_households',
  'ua_members',
  'up_announcements',
  'up_event_occurrences',
  'up_events',
  'up_masjids',
]

describe('refusals by the database', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const untranslated = (messages: readonly string[]): string[] =>
    messages.filter(message => translateRule('ar', message) === undefined)

  test('have Arabic words for every rule of the tables that staff write', async () => {
    const rules = await database().query<{ words: string }>(sql`
      select distinct comment.description as words from pg_description comment
      left join pg_constraint rule on comment.classoid = 'pg_constraint'::regclass and rule.oid = comment.objoid
      left join pg_index key on comment.classoid = 'pg_class'::regclass and key.indexrelid = comment.objoid
      where coalesce(rule.conrelid, key.indrelid) = any (
        select ('public.' || name)::regclass from unnest(${written}::text[]) name)`)
    const words = rules.map(rule => rule.words).filter(text => !text.startsWith('@'))
    assert.ok(words.length > 100, `${words.length} rules`)
    assert.deepEqual(untranslated(words), [])
  })

  test('have Arabic words for everything that functions raise', async () => {
    const functions = await database().query<{ source: string }>(sql`
      select prosrc as source from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc ~ 'raise exception|refuse|refused'`)
    const quoted = `'((?:[^']|'')+)'`
    const raising = new RegExp(`(?:raise exception |refuse_\\w+\\(|reversal_refused\\((?:format\\()?)${quoted}`, 'g')
    const raised = functions
      .flatMap(({ source }) => [...source.matchAll(raising)].map(([, text = '']) => text.replaceAll("''", "'")))
      .filter(text => /^["A-Z].* /.test(text))
      // of reading, of the sandbox, of trials and of annotations
      .filter(text => !/^(The end of|Nothing can be changed in the sandbox|The audit trail|The history of)/.test(text))
      .map(text => text.replaceAll(/%s?/g, 'x'))
    assert.ok(raised.length > 40, `${raised.length} messages`)
    assert.deepEqual(untranslated(raised), [])
  })

  const enter = async (language: string): Promise<{ masjid: Masjid; person: Person; home: string }> => {
    const masjid = await makeMasjid(database())
    const capabilities = ['times', 'people', 'giving', 'capabilities'] as const
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities }))
    person.cookies.set('minaret_language', language)
    return { masjid, person, home: `/staff/${masjid.slug}` }
  }
  const gift = { amount: '5', currency: 'USD', fund: 'general', method: 'cash', day: '2026-03-01', giver: 'anonymous' }

  for (const [language, words] of [
    ['en', /Never write down the number of a payment card\./],
    ['ar', /لا تكتب رقم بطاقة الدفع أبدًا\./],
  ] as const)
    test(`are shown in the language of the page (${language})`, async () => {
      const { person, home } = await enter(language)
      const path = `${home}/giving/new`
      const refused = await person.submit(path, path, { ...gift, reference: 'Visa 4111 1111 1111 1111' })
      assert.equal(refused.status, 422)
      assert.match(refused.text, words)
    })

  test('that a function words itself reach the page, and mark the field', async () => {
    for (const [language, words] of [
      ['en', /Somebody has to manage the capabilities of the masjid/],
      ['ar', /يجب أن يبقى من يدير صلاحيات المسجد/],
    ] as const) {
      const { person, home, masjid } = await enter(language)
      const row = await database().first<{ user_id: string }>(sql`
        select user_id from public.ua_capabilities where masjid_id = ${masjid.id} limit 1`)
      const path = `${home}/team/people/${row?.user_id}`
      const refused = await person.submit(path, path, { capabilities: 'times' })
      assert.equal(refused.status, 422)
      assert.match(refused.text, words)
      assert.match(refused.text, /href="#capabilities"/)
    }
  })
})
