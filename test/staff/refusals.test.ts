// What the database refuses is said in the language of the page, rule by rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languages } from '../../src/accounts/languages.ts'
import { sql } from '../../src/db/sql.ts'
import { plainRules } from '../../src/graphql/write/describe-violation.ts'
import { placesOf } from '../../src/site/pieces/fill.ts'
import { translateRule } from '../../src/site/staff/refusals/refusal-words.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { raisingFunctions } from '../support/raised-rules.ts'
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
  'up_event_rsvps',
  'up_events',
  'up_masjids',
]

/** Apps alone write them. */
const notByStaff = ['ua_recurring_donations']

/** The others are of tables and pages with words of their own. */
const isTold = (rule: string): boolean => !rule.startsWith('masjid_')

/** Languages that rules are translated to. */
const translated = languages.filter(language => language !== 'en')

describe('refusals by the database', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const untranslated = (rules: readonly string[]): string[] =>
    translated.flatMap(language =>
      [...new Set(rules)]
        .filter(constraint => translateRule(language, { message: 'English', extensions: { constraint } }) === undefined)
        .map(rule => `${language}: ${rule}`),
    )

  test('are of every table that a capability covers', async () => {
    const covered = await database().query<{ name: string }>(sql`
      select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and obj_description(oid, 'pg_class') ~ '(^|\n)@capability'`)
    assert.deepEqual(
      covered.map(({ name }) => name).filter(name => !written.includes(name) && !notByStaff.includes(name)),
      [],
    )
  })

  test('have words in every language for every constraint of the tables that staff write', async () => {
    const rules = await database().query<{ name: string }>(sql`
      select coalesce(rule.conname, class.relname)::text as name from pg_description comment
      left join pg_constraint rule on comment.classoid = 'pg_constraint'::regclass and rule.oid = comment.objoid
      left join pg_index key on comment.classoid = 'pg_class'::regclass and key.indexrelid = comment.objoid
      left join pg_class class on class.oid = key.indexrelid
      where coalesce(rule.conrelid, key.indrelid) = any (
        select ('public.' || name)::regclass from unnest(${written}::text[]) name)`)
    assert.ok(rules.length > 150, `${rules.length} rules`)
    assert.deepEqual(untranslated(rules.map(({ name }) => name)), [])
  })

  test('have words in every language for every rule that functions refuse by', async () => {
    const rules = (await raisingFunctions(database())).flatMap(raising => raising.rules)
    const kept = await database().query<{ name: string }>(sql`
      select relname || '_id_check' as name from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgfoid = 'public.keep_id'::regproc and relname = any (${written}::text[])`)
    const names = [...rules.map(({ rule }) => rule), ...kept.map(({ name }) => name)].filter(isTold)
    assert.ok(names.length > 60, `${names.length} rules`)
    assert.deepEqual(untranslated(names), [])
  })

  test('have words in every language for the plain sentences of the API', () => {
    assert.deepEqual(untranslated([...plainRules, 'conflict']), [])
  })

  test('name a place in a translation only where the sentence has it', async () => {
    const rules = (await raisingFunctions(database())).flatMap(raising => raising.rules)
    const places = new Map(rules.map(({ rule, sentence }) => [rule, placesOf(sentence)]))
    const values = Object.fromEntries([...places.values()].flat().map(name => [name, `<${name}>`]))
    const astray = translated.flatMap(language =>
      [...places].flatMap(([constraint, known]) => {
        const words = translateRule(language, { message: 'English', extensions: { constraint, values } }) ?? ''
        const shown = [...words.matchAll(/<(\w+)>/g)].map(([, name = '']) => name)
        return shown.filter(name => !known.includes(name)).map(name => `${constraint}: ${name}`)
      }),
    )
    assert.deepEqual(astray, [])
  })

  test('have one sentence for each name', async () => {
    const rules = (await raisingFunctions(database())).flatMap(raising => raising.rules)
    const sentences = new Map(rules.map(({ rule, sentence }) => [rule, sentence]))
    assert.deepEqual(
      rules.filter(({ rule, sentence }) => sentences.get(rule) !== sentence),
      [],
    )
  })

  test('that nobody has words for are shown as they are, in English', () => {
    const refusal = {
      message: 'Halls are small.',
      extensions: { code: 'constraint-violation', constraint: 'up_halls_check' },
    }
    assert.equal(translateRule('ar', refusal), undefined)
    assert.equal(translateRule('en', refusal), 'Halls are small.')
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
