// A masjid with so many sessions that the lists of its page would be cut off: every one of them is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { askPublic } from '../../src/site/frame/ask-public.ts'
import { MASJID_ALONE, type PublicMasjid } from '../../src/site/masjid/public-masjid.ts'
import { readPublicTimes } from '../../src/site/masjid/public-times.ts'
import { useEngine } from '../graphql/use-engine.ts'
import { loadManyMasjids } from '../prayer/many-masjids.ts'

const running = useEngine(loadManyMasjids)
const address = '127.0.0.1'

const timesOf = async (slug: string) => {
  const { engine } = running()
  const { masjid } = await askPublic<{ masjid: PublicMasjid }>(engine, {
    query: MASJID_ALONE,
    variables: { slug },
    address,
  })
  return readPublicTimes(engine, { masjid, now: new Date('2026-06-17T12:00:00Z'), month: '2026-06', address })
}

/** Ten days of the month have times. */
const countsOf = async (slug: string): Promise<readonly number[]> =>
  (await timesOf(slug)).month.filter(({ isUnstored }) => !isUnstored).map(({ times }) => times.length)

test('nine sessions of each prayer, on each day of the month', async () => {
  await running().database.run(
    rawSql(`
      insert into public.pc_iqamah_schedules (masjid_id, prayer, session, rule, offset_minutes)
      select masjid.id, prayer, session, 'offset', session * 5
      from public.up_masjids masjid, unnest(array['fajr', 'dhuhr', 'asr', 'maghrib', 'isha']::public.pc_prayer[]) prayer,
        generate_series(2, 9) session
      where slug = 'masjid-1'`),
  )
  const [usual, many] = [await countsOf('masjid-2'), await countsOf('masjid-1')]
  assert.equal(many.length, 10)
  assert.deepEqual(
    many,
    usual.map(count => count + 5 * 8),
  )
})
