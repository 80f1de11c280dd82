import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changed } from '../../db/changes/check-statements.ts'
import { createEpochs } from '../../db/changes/epoch.ts'
import type { Reader, ReadMoment } from '../../db/reader.ts'
import { isStillTrue, type ReadAnswer } from './still-true.ts'

const TABLE = 'public.up_masjids'
const statement = { name: 'cities', text: 'select' }

/** A table of cities by masjid, checks of its changes, and an answer that shows the masjid `shown` of a city. */
const begin = () => {
  const epochs = createEpochs()
  epochs.add('a', [], true)
  const epoch = epochs.current ?? assert.fail()
  const cities: Record<string, string> = {}
  let unseen: Changed[] = []
  const checker = {
    get epoch() {
      return epochs.current
    },
    check: async () => {
      epochs.add('a', unseen, false)
      unseen = []
      return epochs.current
    },
    hasReached: () => true,
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
    if (elsewhere) from.add('b', [], true)
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

test('many changes elsewhere are not looked at one by one', async () => {
  const { asked, answerOf, move } = begin()
  const cary = answerOf('Cary')
  for (let count = 0; count < 30; count += 1) move(`m${count}`, 'Durham')
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
