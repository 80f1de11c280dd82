// "Ramadan begins tomorrow", and the other months: announced by the masjid, taken back, or followed from an authority.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { type RamadanParts, ramadanPage } from '../../../src/site/staff/week/ramadan-page.ts'
import { textsFor } from '../../../src/site/texts/texts.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person } from '../../support/person.ts'
import { makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

const view = {
  language: 'en',
  texts: textsFor('en'),
  user: undefined,
  antiForgery: '',
  here: '/',
  development: true,
} as const

const parts = (day: number, decidedBy: 'own' | 'calculated'): RamadanParts => ({
  masjid: {
    id: '0',
    slug: 'm',
    name: 'M',
    nameArabic: null,
    city: null,
    timezone: 'UTC',
    verified: true,
    ruleToConfirm: false,
    capabilities: ['times'],
    guarded: [],
  },
  today: '2027-02-06',
  months: {
    today: { hijri_year: 1448, hijri_month: 8, hijri_day: day },
    coming: [
      {
        year: 1448,
        month: 9,
        startsOn: decidedBy === 'own' ? '2027-02-07' : '2027-02-08',
        decidedBy,
        announcementId: undefined,
      },
    ],
    authority: null,
    authorities: [],
    ramadanDays: [],
  },
  times: [],
  done: undefined,
})

test('"Ramadan begins tomorrow" is one button on the last days of Sha‘ban, until it was said', () => {
  const shown = (day: number, decidedBy: 'own' | 'calculated'): string => ramadanPage(view, parts(day, decidedBy)).text
  assert.match(shown(29, 'calculated'), /Ramadan begins tomorrow/)
  const fields = hiddenFieldsOf(shown(29, 'calculated'), '/staff/m/week/month')
  assert.equal(fields.starts_on, '2027-02-07')
  assert.doesNotMatch(shown(28, 'calculated'), /begins tomorrow/)
  assert.doesNotMatch(shown(29, 'own'), /begins tomorrow/)
})

describe('the months of a masjid', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const prepare = async (): Promise<{ id: string; base: string; person: Person }> => {
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    await settled(masjid.id)
    return { id: masjid.id, base: `/staff/${masjid.slug}/week`, person }
  }

  /** Until the job has calculated the days anew. */
  const settled = async (id: string): Promise<void> => {
    for (;;) {
      const row = await database().first<{ done: boolean }>(sql`
        select filled_revision is not distinct from revision and filled_until > current_date + 390 as done
        from calculation_states where masjid_id = ${id}`)
      if (row?.done === true) return
      await delay(100)
    }
  }

  /** The next month and its first day. */
  const next = async (id: string) => {
    const row = await database().first<{ year: number; month: number; date: string; later: string }>(sql`
      select hijri_year as year, hijri_month as month, date::text, (date + 1)::text as later from pc_calculated_times
      where masjid_id = ${id} and hijri_day = 1 and date > current_date + 1 order by date limit 1`)
    if (row === undefined) throw new Error('There are no days.')
    return row
  }

  test('begin when the masjid says so, which it can take back', async () => {
    const { id, base, person } = await prepare()
    const { year, month, date, later } = await next(id)
    const page = `${base}/month?year=${year}&month=${month}`
    const done = await person.submit(page, `${base}/month`, { starts_on: later })
    assert.match(done.location ?? '', /done=announced/, done.text)
    await settled(id)
    assert.equal((await next(id)).date, later)
    const shown = await person.get(done.location ?? '')
    assert.match(decodeHtml(shown.text), /Announced\.[\s\S]*your masjid/)
    const back = await person.post(`${base}/month/withdraw`, hiddenFieldsOf(shown.text, `${base}/month/withdraw`))
    assert.match(back.location ?? '', /done=withdrawn/)
    await settled(id)
    assert.equal((await next(id)).date, date)
  })

  test('are refused far from the new moon, with the page as it was', async () => {
    const { id, base, person } = await prepare()
    const { year, month } = await next(id)
    const page = `${base}/month?year=${year}&month=${month}`
    for (const starts_on of ['2031-01-01', 'tomorrow', '']) {
      const refused = await person.submit(page, `${base}/month`, { starts_on })
      assert.equal(refused.status, 422)
      assert.match(refused.text, /<title>Error: /)
    }
    assert.equal((await person.get(`${base}/month?year=1300&month=1`)).status, 404)
  })

  test('follow an authority of the directory, and no other', async () => {
    const { id, base, person } = await prepare()
    const authority = await database().first<{ id: string }>(sql`
      insert into pc_hijri_authorities (name) values ('Moon Council ' || gen_random_uuid()) returning id`)
    const done = await person.submit(`${base}/ramadan`, `${base}/follow`, { authority: authority?.id ?? '' })
    assert.match(done.location ?? '', /done=followed/)
    const row = await database().first<{ followed: string }>(
      sql`select hijri_authority_id as followed from up_masjids where id = ${id}`,
    )
    assert.equal(row?.followed, authority?.id)
    const forged = { authority: '00000000-0000-4000-8000-000000000000' }
    assert.equal((await person.submit(`${base}/ramadan`, `${base}/follow`, forged)).status, 404)
  })
})
