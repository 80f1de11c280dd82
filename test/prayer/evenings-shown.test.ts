// The first and the last evening of Ramadan, on every surface that shows times: apps, calendars, tables, pages, screens, assistants. The
// name of a session stands beside its prayer's on each.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import ICAL from 'ical.js'
import type { User } from '../../src/accounts/users.ts'
import { sql } from '../../src/db/sql.ts'
import { call, callFor, textOf, tokensFor } from '../mcp/use-mcp.ts'
import { pairScreen, readState } from '../screens/pair-screen.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../staff/use-staff.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { insertRule } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person } from '../support/person.ts'
import { untilSettled } from '../support/settled.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

/** Minutes after the adhan of Isha. Taraweeh comes after Isha only where Isha follows Ramadan's rule. */
const USUAL = 45
const RAMADAN = 15
const TARAWEEH = 25

interface Here {
  readonly masjid: Masjid
  readonly user: User
  readonly person: Person
  readonly today: string
  /** Clock times this many minutes after today's adhan of Isha. */
  after(minutes: number): string
}

/** As if Ramadan had 30 days and began this many days from today. */
const beginRamadan = (masjid: string, days: number) =>
  database().run(sql`
    update pc_calculated_times day set hijri_month = morning.month, hijri_day = morning.day, evening_hijri_month = evening.month,
      evening_hijri_day = evening.day, is_ramadan = morning.month = 9, is_taraweeh = evening.month = 9
    from pc_calculated_times other
    cross join lateral (select other.date - (now() at time zone 'UTC')::date - ${days}::int as since) from_first
    cross join lateral (select 9 + floor(since / 30.0)::int as month, (since + 30) % 30 + 1 as day) morning
    cross join lateral (select 9 + floor((since + 1) / 30.0)::int as month, (since + 31) % 30 + 1 as day) evening
    where other.id = day.id and day.masjid_id = ${masjid} and since between -30 and 59`)

const prepare = async (begins: number): Promise<Here> => {
  const masjid = await makeMasjid(database(), { latitude: 5.35, longitude: -4, timezone: 'Africa/Abidjan' })
  const isha = { prayer: 'isha', rule: 'offset', label: 'After work' } as const
  await insertRule(database(), masjid.id, { ...isha, offset_minutes: USUAL })
  await insertRule(database(), masjid.id, { ...isha, offset_minutes: RAMADAN, season: 'ramadan' })
  await insertRule(database(), masjid.id, { prayer: 'taraweeh', rule: 'offset', offset_minutes: TARAWEEH })
  await untilSettled(database())
  await beginRamadan(masjid.id, begins)
  const user = await makeStaff(database(), { masjid, capabilities: ['times', 'screens'] })
  const row = await database().first<{ today: string; isha: Date }>(sql`
    select date::text as today, isha from pc_calculated_times
    where masjid_id = ${masjid.id} and date = (now() at time zone 'UTC')::date`)
  assert.ok(row)
  const after = (minutes: number) => new Date(row.isha.getTime() + minutes * 60_000).toISOString().slice(11, 16)
  return { masjid, user, person: await visitAs(minaret(), user), today: row.today, after }
}

const keyOf = async (): Promise<string> => {
  const scopes = ['masjid:read', 'events:read', 'prayer-times:read'] as const
  const app = await makeApp(database(), { kind: 'confidential', scopes: [...scopes] })
  return (await makeKey(database(), { appId: app.id, scopes: [...scopes] })).key
}

type Evening = Readonly<Partial<Record<'isha' | 'taraweeh', string>>>

const names: Readonly<Record<string, keyof Evening>> = { 'Isha · After work': 'isha', Taraweeh: 'taraweeh' }

/** By the names shown, from local times such as `2026-11-19T19:20:00`. */
const eveningOf = (times: readonly { name: string | undefined; iqamah: string | null | undefined }[]): Evening =>
  Object.fromEntries(
    times.flatMap(({ name = '', iqamah }) => {
      const prayer = names[name]
      return prayer === undefined ? [] : [[prayer, iqamah?.slice(-8, -3) ?? '']]
    }),
  )

/** Where prayer and label have a place each. */
const nameOf = (prayer: string, label: string | null | undefined): string =>
  [prayer.replace(/^./, first => first.toUpperCase()), label].filter(Boolean).join(' · ')

/** 19:13, or 7:13 PM. */
const written = (clock: string): string => {
  const [hour = 0, minute] = clock.split(':').map(Number)
  return `(${clock}|${hour % 12 || 12}:${String(minute).padStart(2, '0')} ?[AP]M)`
}

const plain = (text: string): string => decodeHtml(text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')

/** What each surface shows of today's evening. */
const surfaces: Readonly<Record<string, (here: Here) => Promise<Evening>>> = {
  GraphQL: async ({ masjid, today }) => {
    const query = `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjid.id}"}, date: {_eq: "${today}"}}) { prayer label iqamah_local } }`
    const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyOf()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await response.json()) as {
      data: { pc_prayer_times: { prayer: string; label: string | null; iqamah_local: string }[] }
    }
    return eveningOf(
      data.pc_prayer_times.map(({ prayer, label, iqamah_local }) => ({
        name: nameOf(prayer, label),
        iqamah: iqamah_local,
      })),
    )
  },
  'the calendar': async here => {
    const calendar = new ICAL.Component(ICAL.parse(await feed(here, 'ics')))
    return eveningOf(
      calendar.getAllSubcomponents('vevent').map(component => {
        const { summary, description } = new ICAL.Event(component)
        const iqamah = /Iqamah (\d\d:\d\d)/.exec(description)?.[1]
        return { name: summary, iqamah: iqamah === undefined ? null : `${iqamah}:00` }
      }),
    )
  },
  'the table': async here => {
    const [head = '', ...lines] = (await feed(here, 'csv')).trimEnd().split('\r\n')
    const column = (name: string): number => head.split(',').indexOf(name)
    return eveningOf(
      lines.map(line => {
        const cells = line.split(',')
        return {
          name: nameOf(cells[column('prayer')] ?? '', cells[column('label')]),
          iqamah: cells[column('iqamah_local')],
        }
      }),
    )
  },
  'the screen': async ({ masjid, user, person, today }) => {
    const { access_token: token } = await pairScreen(minaret(), { masjid, user, person })
    const state = (await (await readState(minaret(), token)).json()) as {
      days: { date: string; rows: { names: string[]; iqamah: number | null }[] }[]
    }
    const rows = state.days.find(({ date }) => date === today)?.rows ?? []
    return eveningOf(
      rows.map(({ names, iqamah }) => ({
        name: names[0],
        iqamah: iqamah === null ? null : new Date(iqamah).toISOString().slice(0, 19),
      })),
    )
  },
  'an assistant': async ({ masjid, user, today }) => {
    const { access_token: token } = await tokensFor(minaret(), user)
    const asked = { masjid: masjid.slug, date: today }
    const { days } = await call(minaret().baseUrl, 'get_prayer_times', asked, token)
    const evening = eveningOf(
      days[0].times.map((time: { prayer: string; iqamah?: string; written_by_others?: { label?: string } }) => ({
        name: nameOf(time.prayer, time.written_by_others?.label),
        iqamah: time.iqamah === undefined ? null : `${time.iqamah}:00`,
      })),
    )
    const words = textOf(await callFor(minaret().baseUrl, 'get_prayer_times', asked, token))
    assert.match(words, new RegExp(`Isha \\[written by others: "After work"\\]: adhan [0-9:]+, iqamah ${evening.isha}`))
    return evening
  },
}

const feed = async ({ masjid, today }: Here, kind: 'ics' | 'csv'): Promise<string> => {
  const response = await fetch(
    `${minaret().baseUrl}/v1/masjids/${masjid.id}/prayer-times.${kind}?from=${today}&days=1`,
    {
      headers: { authorization: `Bearer ${await keyOf()}` },
    },
  )
  assert.equal(response.status, 200)
  return response.text()
}

/** Pages, and the words of the part that shows today. */
const pages: Readonly<Record<string, { path(here: Here): string; today: RegExp }>> = {
  'the public page': { path: ({ masjid }) => `/m/${masjid.slug}`, today: /<table class="day-times">[\s\S]*?<\/table>/ },
  'the widget': { path: ({ masjid }) => `/m/${masjid.slug}/widget`, today: /[\s\S]*/ },
  'the text to share': {
    path: ({ masjid }) => `/staff/${masjid.slug}/print`,
    today: /<textarea[\s\S]*?<\/textarea>/,
  },
  'This week': {
    path: ({ masjid }) => `/staff/${masjid.slug}/week`,
    today: /<details class="week-day" open[\s\S]*?<\/details>/,
  },
}

for (const { evening, begins, isha, taraweeh } of [
  { evening: 'before the first day', begins: 1, isha: RAMADAN, taraweeh: TARAWEEH },
  { evening: 'before the last day', begins: -28, isha: RAMADAN, taraweeh: TARAWEEH },
  { evening: 'of the last day', begins: -29, isha: USUAL, taraweeh: undefined },
])
  describe(`the evening ${evening}`, () => {
    let here: Here
    test('is prepared', async () => {
      here = await prepare(begins)
    })

    for (const [name, read] of Object.entries(surfaces))
      test(`${name} has Isha by the season of the evening`, async () => {
        const expected = {
          isha: here.after(isha),
          ...(taraweeh === undefined ? {} : { taraweeh: here.after(taraweeh) }),
        }
        assert.deepEqual(await read(here), expected)
      })

    for (const [name, { path, today }] of Object.entries(pages))
      test(`${name} has Isha by the season of the evening`, async () => {
        const text = plain(today.exec((await here.person.get(path(here))).text)?.[0] ?? '')
        const after = (name: string, minutes: number) => new RegExp(`${name}.*?${written(here.after(minutes))}`)
        assert.match(text, after('Isha · After work[^T]*', isha))
        if (taraweeh === undefined) assert.doesNotMatch(text, /Taraweeh/)
        else assert.match(text, after('Isha.*Taraweeh', taraweeh))
      })

    if (begins > 0)
      test('The Ramadan page counts the evenings on which Taraweeh would come before Isha', async () => {
        const { masjid, person } = await prepare(begins)
        await database().run(sql`
          update pc_iqamah_schedules set offset_minutes = ${TARAWEEH} + 5 where masjid_id = ${masjid.id} and season = 'ramadan'`)
        const text = plain((await person.get(`/staff/${masjid.slug}/week/ramadan`)).text)
        assert.match(text, /On 30 evenings Taraweeh is before Isha/)
      })

    if (begins > 0)
      test('The Ramadan page tells its first Taraweeh', async () => {
        const text = plain((await here.person.get(`/staff/${here.masjid.slug}/week/ramadan`)).text)
        const clocks = [TARAWEEH, RAMADAN].map(minutes => written(here.after(minutes)))
        assert.match(text, new RegExp(`first Taraweeh is on [^.]* at ${clocks[0]} ?, Isha at ${clocks[1]}`))
        assert.doesNotMatch(text, /before Isha/)
      })

    test('This week changes the rule that is prayed by', async () => {
      const { person, masjid, today } = here
      const base = `/staff/${masjid.slug}/week`
      const form = `${base}/change?prayer=isha&session=1&from=${today}`
      const { text } = await person.get(form)
      assert.match(text, new RegExp(`name="offset_minutes"[^>]* value="${isha}"`))
      assert.match(text, /name="label"[^>]* value="After work"/)
      const change = { label: 'After work', lasts: 'on', how: 'offset', offset_minutes: '18', first_on: today }
      const preview = await person.submit(form, `${base}/preview`, change)
      const fields = hiddenFieldsOf(preview.text, `${base}/publish`)
      const done = await person.post(`${base}/publish`, { ...fields, when: 'now' })
      assert.equal(done.status, 303, done.text)
      const rules = await database().query<{ season: string; offset_minutes: number }>(sql`
        select season::text, offset_minutes from pc_iqamah_schedules
        where masjid_id = ${masjid.id} and prayer = 'isha' and deleted_at is null and valid @> ${today}::date order by season`)
      const changed = isha === USUAL ? 'all_year' : 'ramadan'
      assert.deepEqual(
        rules.map(rule => [rule.season, rule.offset_minutes]),
        [
          ['all_year', changed === 'all_year' ? 18 : USUAL],
          ['ramadan', changed === 'ramadan' ? 18 : RAMADAN],
        ],
      )
      assert.equal((await surfaces.GraphQL?.(here))?.isha, here.after(18))
    })
  })
