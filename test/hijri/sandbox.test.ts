// Hijri dates in the sandbox: those that its masjids pray by.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Data } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret({ SANDBOX_DATA: 'on' })

test('masjids with announced months have the dates of their stored days', async () => {
  const rows = await minaret().service.database.query<{ slug: string; date: string; hijri: string }>(sql`
    with chosen as (
      select masjid.id, masjid.slug from sandbox.up_masjids masjid
      where masjid.deleted_at is null and (masjid.hijri_authority_id is not null
        or exists (select from sandbox.pc_hijri_months month where month.masjid_id = masjid.id))
      order by masjid.slug limit 12)
    select chosen.slug, day.date::text, format('%s-%s-%s', day.hijri_year, lpad(day.hijri_month::text, 2, '0'),
      lpad(day.hijri_day::text, 2, '0')) as hijri
    from chosen join sandbox.pc_calculated_times day on day.masjid_id = chosen.id order by 1, 2`)
  const byMasjid = Map.groupBy(rows, ({ slug }) => slug)
  assert.ok(byMasjid.size >= 2)
  for (const [slug, all] of byMasjid) {
    const days = all.slice(0, 400)
    const query = `masjid=${slug}&from=${days[0]?.date}&to=${days.at(-1)?.date}`
    const response = await fetch(`${minaret().sandboxUrl}/v1/hijri?${query}`)
    const { days: answered } = (await response.json()) as Data
    assert.deepEqual(
      answered.map(({ date, hijri }: Data) => [date, hijri]),
      days.map(({ date, hijri }) => [date, hijri]),
      slug,
    )
  }
})
