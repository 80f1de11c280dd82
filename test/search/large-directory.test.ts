// A directory of thousands: lists, pages and searches of staff, and sitemaps, read what they show and no more, however many masjids there are.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { findMasjids, masjidsByIds } from '../../src/apps/review-queue.ts'
import { selectWrittenRows } from '../../src/audit/read-written-rows.ts'
import { findMasjid } from '../../src/capabilities/capabilities.ts'
import { type ListedMasjid, listMasjids, type MasjidWish } from '../../src/capabilities/list-masjids.ts'
import { searchListed } from '../../src/capabilities/masjid-requests.ts'
import { findStaffedMasjids } from '../../src/capabilities/staffed-masjids.ts'
import type { Database, Queryable } from '../../src/db/database.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { edgesOf, readEdges, readFile } from '../../src/feeds/sitemap.ts'
import { useDatabase } from '../support/open-database.ts'

const MASJIDS = 4000
/** A search chooses among some hundreds. */
const MOST_READ = 1000

/** Every name twice, a few of each state, and one in ten with an id of the same minute. */
const database = useDatabase(async database => {
  await database.run(sql`
    insert into up_masjids (id, slug, name, city, latitude, longitude, address, country, timezone, verification, verified_at)
    select case when n % 10 = 0 then ('01999999-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid else gen_random_uuid() end,
      'masjid-' || n, 'Masjid ' || md5((n / 2)::text), 'Town ' || n % 40, n % 80, n % 170, 'x', 'US', 'UTC', state,
      case when state = 'verified' then now() end
    from generate_series(1, ${MASJIDS}) n
    cross join lateral (select case when n % 100 = 0 then 'pending' when n % 101 = 0 then 'disputed' when n % 3 = 0 then 'verified'
      else 'unverified' end::up_verification as state) given`)
  await database.run(sql`analyze up_masjids`)
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

const rowsOf = (node: PlanNode): number =>
  (node['Relation Name'] === 'up_masjids'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)

const rowsReadBy = async (statement: Sql): Promise<number> => {
  const row = await database().first<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    sql`explain (analyze, format json) ${statement}`,
  )
  assert.ok(row)
  return rowsOf(row['QUERY PLAN'][0].Plan)
}

/** How many masjids the statements of some work read, a deleted or unwanted one included. */
const rowsRead = async (work: (queryable: Database) => Promise<unknown>): Promise<number> => {
  const statements: Sql[] = []
  const noting = (own: keyof Queryable) => (statement: Sql) => {
    statements.push(statement)
    return database()[own](statement)
  }
  await work({ ...database(), query: noting('query'), first: noting('first'), run: noting('run') } as Database)
  const rows = await Promise.all(statements.map(rowsReadBy))
  return rows.reduce((sum, some) => sum + some, 0)
}

const all = (): Promise<{ id: string; slug: string }[]> => database().query(sql`select id, slug from up_masjids`)

describe('the list of administrators', () => {
  const pages = async (wish: Partial<MasjidWish>): Promise<ListedMasjid[]> => {
    const found: ListedMasjid[] = []
    let after: string | undefined = ''
    while (after !== undefined) {
      const asked: MasjidWish = { words: '', verification: undefined, ...wish, after }
      const page = await listMasjids(database(), asked)
      assert.ok((await rowsRead(queryable => listMasjids(queryable, asked))) <= 4 * 26, after)
      found.push(...page.masjids)
      after = page.next
    }
    return found
  }

  test('has every masjid once, those that nobody has checked first, and reads a page of each state', async () => {
    const found = await pages({})
    assert.equal(new Set(found.map(({ id }) => id)).size, MASJIDS)
    assert.equal(found.length, MASJIDS)
    const sorted = await database().query<{ id: string }>(
      sql`select id from up_masjids order by verification = 'verified', name, id`,
    )
    assert.deepEqual(
      found.map(({ id }) => id),
      sorted.map(({ id }) => id),
    )
  })

  test('has those of a state alone, however few they are', async () => {
    for (const verification of ['pending', 'disputed'] as const) {
      const found = await pages({ verification })
      const row = await database().first<{ count: number }>(
        sql`select count(*)::int as count from up_masjids where verification = ${verification}`,
      )
      assert.equal(found.length, row?.count)
      assert.ok(found.every(masjid => masjid.verification === verification))
    }
  })

  test('goes on where it was, though the last one was verified meanwhile', async () => {
    const wish = { words: '', verification: undefined, after: '' } as const
    const first = await listMasjids(database(), wish)
    const second = await listMasjids(database(), { ...wish, after: first.next ?? '' })
    const last = first.masjids.at(-1)?.id ?? ''
    await database().run(sql`update up_masjids set verification = 'verified', verified_at = now() where id = ${last}`)
    assert.deepEqual(await listMasjids(database(), { ...wish, after: first.next ?? '' }), second)
    await database().run(sql`update up_masjids set verification = 'unverified', verified_at = null where id = ${last}`)
  })

  test('begins anew where a page makes no sense', async () => {
    const wish = { words: '', verification: undefined } as const
    const first = await listMasjids(database(), { ...wish, after: '' })
    for (const after of ['x', `u${randomUUID()}`, "u'; select 1", `x${first.next}`, 'u'.repeat(5000)])
      assert.deepEqual(await listMasjids(database(), { ...wish, after }), first, after)
  })
})

const reads: Readonly<Record<string, (queryable: Database) => Promise<unknown>>> = {
  'a search of administrators': queryable =>
    listMasjids(queryable, { words: 'town 7', verification: 'unverified', after: '' }),
  'a search of reviewers': queryable => findMasjids(queryable, 'masjid'),
  'a search of who asks for a masjid': queryable => searchListed(queryable, 'masjid'),
  'the masjids of an administrator': queryable =>
    findStaffedMasjids(queryable, { userId: randomUUID(), isAdmin: true }),
  'a search in them': queryable =>
    findStaffedMasjids(queryable, { userId: randomUUID(), isAdmin: true }, { words: 'town' }),
  'one of them': queryable =>
    findStaffedMasjids(queryable, { userId: randomUUID(), isAdmin: true }, { slug: 'masjid-7' }),
  'the masjids of somebody else': queryable => findStaffedMasjids(queryable, { userId: randomUUID(), isAdmin: false }),
}

for (const [what, read] of Object.entries(reads))
  test(`of the directory, ${what} reads some hundred rows at most`, async () => {
    const rows = await rowsRead(read)
    assert.ok(rows <= MOST_READ, String(rows))
  })

test('a search of the API reads the masjids it finds, wherever somebody is', async () => {
  for (const place of [sql``, sql`, 7, 7`]) {
    const rows = await rowsReadBy(sql`select id from up_masjids_search('town 7'${place}) limit 20`)
    assert.ok(rows > 0 && rows <= MOST_READ, String(rows))
  }
})

test('a masjid that is named by its id or slug is the only one that is read', async () => {
  const [{ id, slug } = { id: '', slug: '' }] = await all()
  for (const named of [id, id.toUpperCase(), slug]) {
    assert.ok((await rowsRead(queryable => findMasjid(queryable, named))) <= 2, named)
    assert.equal((await findMasjid(database(), named)).id, id)
    const statement = selectWrittenRows({ filters: { masjid: named }, before: undefined, limit: 10 })
    assert.ok((await rowsReadBy(statement)) <= 2, named)
  }
  assert.ok((await rowsRead(queryable => masjidsByIds(queryable, [id, 'no id', randomUUID()]))) <= 2)
  assert.deepEqual(
    (await masjidsByIds(database(), [id, 'no id'])).map(masjid => masjid.id),
    [id],
  )
})

describe('sitemaps', () => {
  test('have every masjid once, in files of about the size that is meant, each read alone', async () => {
    const meant = 200
    const edges = await readEdges(database(), meant)
    const files = await Promise.all(
      Array.from({ length: edges.length + 1 }, (_, at) => readFile(database(), at + 1, meant)),
    )
    assert.ok(files.length >= MASJIDS / meant - 1)
    assert.ok(files.every(file => (file?.length ?? 0) <= 2 * meant))
    assert.deepEqual(
      files.flatMap(file => (file ?? []).map(({ slug }) => slug)).sort(),
      (await all()).map(({ slug }) => slug).sort(),
    )
    assert.equal(await readFile(database(), files.length + 1, meant), undefined)
    assert.equal(await rowsRead(queryable => readEdges(queryable, meant)), 0)
    assert.ok((await rowsRead(queryable => readFile(queryable, files.length, meant))) <= 2 * meant)
  })

  test('are a single file as long as nothing is known', () => {
    assert.deepEqual(edgesOf({ masjids: -1, bounds: [] }), [])
    assert.deepEqual(edgesOf({ masjids: 0, bounds: [] }), [])
    assert.deepEqual(edgesOf({ masjids: 30, bounds: ['a', 'b', 'c'] }), [])
  })

  test('are as many files as there are edges between them, of a world as well', () => {
    const bounds = Array.from({ length: 101 }, (_, index) => String(index))
    assert.deepEqual(edgesOf({ masjids: 100_000, bounds }), ['25', '50', '75'])
    assert.equal(edgesOf({ masjids: 3_600_000, bounds }).length, 99)
  })
})
