// Many transactions that commit in another order than they began: a reader that follows the cursor sees each change once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { keepChangeLog } from '../../src/changes/keep-log.ts'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'
import { rounds } from '../support/rounds.ts'
import { settled } from './settled.ts'

const database = useDatabase(owner => keepChangeLog(owner, 7))

interface Line {
  readonly id: string
  readonly cursor: string
}

const now = async (): Promise<string> => {
  await settled(database())
  return (await database().first<{ cursor: string }>(sql`select changes.cursor_now() as cursor`))?.cursor ?? ''
}

const pageAfter = (cursor: string): Promise<Line[]> =>
  database().query<Line>(sql`select id, cursor from public.up_changes_since(${cursor}) limit 7`)

/** Each has its transaction id before the others begin, does more in the middle, and ends after a while of its own. */
const writeOnce = async (random: () => number, written: string[]): Promise<void> => {
  const rolledBack = random() < 0.2
  const mine: string[] = []
  await database()
    .transaction(async transaction => {
      for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
        const row = await transaction.first<{ id: string }>(
          sql`insert into public.up_entities (legal_name, country) values ('x', 'US') returning id`,
        )
        mine.push(row?.id ?? '')
        await delay(Math.floor(random() * 12))
      }
      if (rolledBack) throw new Error('rolled back')
    })
    .catch(error => {
      if ((error as Error).message !== 'rolled back') throw error
    })
  if (!rolledBack) written.push(...mine)
}

const seeded = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

test('a reader that polls sees every committed change exactly once, however commits overtake each other', async () => {
  const random = seeded(25)
  const written: string[] = []
  const seen: string[] = []
  let cursor = await now()
  let writing = true
  const follow = async (): Promise<void> => {
    for (;;) {
      const last = !writing
      const page = await pageAfter(cursor)
      seen.push(...page.map(({ id }) => id))
      cursor = page.at(-1)?.cursor ?? cursor
      if (page.length === 0 && last) return
      if (page.length === 0) await delay(2)
    }
  }
  const following = follow()
  const writer = async (): Promise<void> => {
    for (let left = rounds(40, 400); left > 0; left -= 1) await writeOnce(random, written)
  }
  await Promise.all([writer(), writer(), writer(), writer()])
  await settled(database())
  writing = false
  await following
  assert.ok(written.length > 100)
  assert.deepEqual(seen.toSorted(), written.toSorted())
})

test('with positions by time alone the same reader would miss changes: commits do overtake each other', async () => {
  const first = Promise.withResolvers<void>()
  const begin = await now()
  const slow = database().transaction(async transaction => {
    await transaction.run(sql`insert into public.up_entities (legal_name, country) values ('slow', 'US')`)
    await first.promise
  })
  await delay(20)
  await database().run(sql`insert into public.up_entities (legal_name, country) values ('quick', 'US')`)
  const visible = await database().query(
    sql`select from changes.log where xid >= (select xid from changes.position_of(${begin}))`,
  )
  assert.equal(visible.length, 1, 'the later one is committed, and visible')
  assert.deepEqual(await pageAfter(begin), [], 'and yet not shown')
  first.resolve()
  await slow
  await settled(database())
  assert.equal((await pageAfter(begin)).length, 2)
})
