// Whatever a stranger searches for, PostgreSQL reads a bounded number of pages for it, which does not grow with the directory.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manyMasjids } from '../../../bench/data/many-masjids.ts'
import { searchWords } from '../../../bench/data/search-words.ts'
import type { Database } from '../../../src/db/database.ts'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { useDatabase } from '../../data-model/use-database.ts'

const model = useDatabase()

const FEW = 10_000
const MANY = 40_000

const load = async (owner: Database, masjids: number): Promise<void> => {
  await owner.transaction(async one => {
    for (const statement of [
      'set local session_replication_role = replica',
      'truncate masjid_words, masjid_terms, known_words, up_masjids cascade',
      manyMasjids(masjids).statement,
      searchWords.statement,
    ])
      await one.run(rawSql(statement))
  })
  await owner.run(rawSql('vacuum analyze up_masjids, masjid_words, masjid_terms, known_words'))
}

interface Explained {
  readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>
}

const pagesFor = async (typed: string, place: readonly [number, number] | undefined): Promise<number> => {
  const [latitude = null, longitude = null] = place ?? []
  const [row] = await model().owner.query<{ 'QUERY PLAN': readonly Explained[] }>(sql`
    explain (analyze, buffers, format json)
    select slug from up_masjids_search(${typed}, ${latitude}::float8, ${longitude}::float8) limit 21`)
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row?.['QUERY PLAN'][0]?.Plan ?? {}
  return (hit ?? Number.NaN) + (read ?? Number.NaN)
}

const places = [undefined, [-6.2, 106.8], [0, -160], [-89.9, 179.9]] as const

const COMMON = ['a', 'm', 'mas', 'masjid', 'nur', 'مسجد', 'مسجد النور', 'indonesia', 'masjid masjid mosque']
const HARD = [
  ...COMMON,
  'jakarta',
  'masjid nurul jakarta',
  'nur nurul noor nour anwar nuri',
  'a b c d e f g h i j',
  'madina london houston dhaka lahore kano',
  'an al el',
  'xqzvw kjhgf qwrtp',
  '%',
  '_'.repeat(200),
  'x'.repeat(200),
  'ab '.repeat(66),
  'नूर',
  '🕌 🕌',
  '!?',
]

const all = async (typed: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const pages = new Map<string, number>()
  for (const one of typed) for (const place of places) pages.set(`${one} ${place}`, await pagesFor(one, place))
  return pages
}

/** Some 100 MB at most, if every page were another one. */
const MOST_PAGES = 15_000
/** With four times as many masjids: indexes grow by a level, and limits are reached that were not. What reads all of them reads four times as much. */
const GROWTH = 2.5

describe('searching among many masjids', () => {
  test('reads a bounded number of pages, which does not grow with their number', async () => {
    await load(model().owner, FEW)
    const few = await all(COMMON)
    await load(model().owner, MANY)
    const many = await all(HARD)
    for (const [search, pages] of many) assert.ok(pages <= MOST_PAGES, `${search}: ${pages} pages`)
    for (const [search, pages] of few)
      assert.ok((many.get(search) ?? 0) <= pages * GROWTH, `${search}: ${pages} pages, then ${many.get(search)}`)
  })
})
