import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changed } from '../../db/changes/check-statements.ts'
import { createEpochs } from '../../db/changes/epoch.ts'
import type { Reader, ReadMoment } from '../../db/reader.ts'
import { MOST_NEWCOMERS } from './newcomers.ts'
import { isStillTrue, type ReadAnswer } from './still-true.ts'

const TABLE = 'public.up_masjids'
const statement = { name: 'cities', text: 'select' }

/** A table of cities by masjid, checks of its changes, and an answer that shows the masjid `shown` of a city. */
const begin = () => {
  const epochs = createEpochs()
  epochs.add('a', [])
  const epoch = epochs.current ?? assert.fail()
  const cities: Record<string, string> = {}
  let unseen: Changed[] = []
  let reached = 0n
  let server = 'a'
  const checker = {
    get epoch() {
      return epochs.current
    },
    check: async () => {
      // Another connection.
      if (server !== 'a') epochs.forget()
      epochs.add(server, unseen)
      unseen = []
      return epochs.current
    },
    hasReached: (position: bigint) => position <= reached,
  }
  const asked: string[] = []
  /** What happens between the sending of a statement and its result. */
  const during: (() => void)[] = []
  let failing = false
  let elsewhere = false
  const read = async ({ values }: { values: readonly string[] }, { moment }: { moment: ReadMoment }) => {
    const masjids = (values[0] ?? '').slice(1, -1).split(',')
    asked.push(...masjids)
    const from = elsewhere ? createEpochs() : epochs
    if (elsewhere) from.add('b', [])
    moment.point = { epoch: from.current, check: from.current?.check } as unknown as ReadMoment['point']
    const rows = masjids.flatMap(masjid => (masjid in cities ? [[masjid, [cities[masjid]]]] : []))
    await Promise.resolve()
    during.shift()?.()
    if (failing) throw new Error('not now')
    return JSON.stringify(Object.fromEntries(rows))
  }
  const answerOf = (city: string): ReadAnswer =>
    ({
      sources: [{ table: TABLE, masjids: ['shown'], admissions: [{ statement, values: [city] }] }],
      reader: { read } as unknown as Reader,
      point: { checker, epoch, check: epoch.check },
      check: epoch.check,
    }) as unknown as ReadAnswer
  return {
    asked,
    during,
    answerOf,
    move: (masjid: string, city: string) => {
      cities[masjid] = city
      unseen.push([TABLE, [masjid]])
    },
    remove: (masjid: string) => {
      delete cities[masjid]
      unseen.push([TABLE, [masjid]])
    },
    bulk: () => unseen.push([TABLE, [null]]),
    /** The server from which it was read has come so far. */
    reach: (position: bigint) => {
      reached = position
    },
    /** Nobody has followed its changes since. */
    restart: () => {
      epochs.forget()
      epochs.add('b', [])
    },
    /** The next check is of another server. */
    failOver: () => {
      server = 'b'
    },
    fail: () => {
      failing = true
    },
    readElsewhere: () => {
      elsewhere = true
    },
  }
}

test('a masjid that changes elsewhere is read once for all answers, and leaves those of other cities', async () => {
  const { asked, answerOf, move } = begin()
  const [cary, durham] = [answerOf('Cary'), answerOf('Durham')]
  move('m', 'Durham')
  assert.deepEqual(await Promise.all([isStillTrue(cary), isStillTrue(durham)]), [true, false])
  assert.equal(await isStillTrue(cary), true)
  assert.deepEqual(asked, ['m'])
  move('m', 'Cary')
  assert.equal(await isStillTrue(cary), false)
  assert.deepEqual(asked, ['m', 'm'])
})

test('a masjid of the answer, or a change of unknown extent, is reason enough to read it again', async () => {
  const { asked, answerOf, move, bulk } = begin()
  const cary = answerOf('Cary')
  move('shown', 'Durham')
  assert.equal(await isStillTrue(cary), false)
  const other = answerOf('Cary')
  move('m', 'Durham')
  assert.equal(await isStillTrue(other), true, 'it was read after that change')
  asked.length = 0
  bulk()
  assert.equal(await isStillTrue(other), false)
  assert.deepEqual(asked, [])
})

test('a masjid that is deleted belongs nowhere', async () => {
  const { answerOf, move, remove } = begin()
  const cary = answerOf('Cary')
  move('m', 'Cary')
  remove('m')
  assert.equal(await isStillTrue(cary), true)
})

test('if a masjid changes while its row is read, the answer is read again', async () => {
  const { asked, during, answerOf, move } = begin()
  const [cary, again] = [answerOf('Cary'), answerOf('Cary')]
  move('m', 'Durham')
  during.push(() => move('m', 'Cary'))
  assert.equal(await isStillTrue(cary), false)
  assert.deepEqual(asked, ['m'], 'nobody reads forever')
  assert.equal(await isStillTrue(again), false)
  assert.deepEqual(asked, ['m', 'm'])
})

test('an answer stays true while nothing changes, for those whose own changes its server has', async () => {
  const { asked, answerOf, move, reach, restart } = begin()
  const cary = answerOf('Cary')
  const before = cary.check
  assert.equal(await isStillTrue(cary), true)
  assert.ok(cary.check > before, 'the next look begins here')
  assert.equal(await isStillTrue(cary, 5n), false, 'the server is behind what this client has seen')
  reach(5n)
  assert.equal(await isStillTrue(cary, 5n), true)
  move('m', 'Durham')
  assert.equal(await isStillTrue(cary, 5n), true)
  assert.deepEqual(asked, ['m'])
  restart()
  assert.equal(await isStillTrue(cary, 5n), false)
})

test('an answer is read again if nobody follows the changes any more while it is looked at', async () => {
  const { during, answerOf, move, restart } = begin()
  const cary = answerOf('Cary')
  move('m', 'Durham')
  during.push(restart)
  assert.equal(await isStillTrue(cary), false)
})

test('a check of another server tells nothing', async () => {
  const { answerOf, failOver } = begin()
  const cary = answerOf('Cary')
  failOver()
  assert.equal(await isStillTrue(cary), false)
})

test('some changes elsewhere are looked at one by one; many are not', async () => {
  const { asked, answerOf, move } = begin()
  const cary = answerOf('Cary')
  for (let count = 0; count < MOST_NEWCOMERS; count += 1) move(`m${count}`, 'Durham')
  assert.equal(await isStillTrue(cary), true)
  assert.equal(asked.splice(0).length, MOST_NEWCOMERS)
  for (let count = 0; count <= MOST_NEWCOMERS; count += 1) move(`m${count}`, 'Durham')
  assert.equal(await isStillTrue(cary), false)
  assert.deepEqual(asked, [])
})

for (const how of ['fail', 'readElsewhere'] as const)
  test(`what cannot be known is not true: ${how === 'fail' ? 'the row cannot be read' : 'it was read on another server'}`, async () => {
    const begun = begin()
    const cary = begun.answerOf('Cary')
    begun[how]()
    begun.move('m', 'Durham')
    assert.equal(await isStillTrue(cary), false)
  })
