import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KnownRead, knownReads } from '../../db/changes/known-reads.ts'
import { createKeptResponses, type Held } from './kept-responses.ts'

const KIBIBYTE = 1024

/** Something that is read, and its changes. */
const source = () => {
  let changes = 0
  return {
    change: () => {
      changes += 1
    },
    read: (): string => {
      const seen = changes
      const read: KnownRead = { isTrue: async () => seen === changes, bytes: 100 }
      knownReads.note([read])
      return `after ${seen} changes`
    },
  }
}

const shelfWith = ({ bytes = 1000, clock = { now: () => new Date() } } = {}) => {
  const kept = createKeptResponses(256 * KIBIBYTE, clock)
  return { kept, shelf: kept.shelf<string>({ name: 'test', bytesOf: () => bytes }) }
}

const held = (value: string, holdsMs = 60_000): Held<string> => ({ value, holdsMs })

test('what nobody changes is made twice, as once is not often enough to be kept', async () => {
  const { shelf, kept } = shelfWith()
  const { read } = source()
  let made = 0
  const make = async () => {
    made += 1
    return held(read())
  }
  for (let count = 0; count < 5; count += 1) assert.equal((await shelf.get('a', make)).value, 'after 0 changes')
  assert.equal(made, 2)
  const { hits, kept: stored, misses } = kept.figures()
  assert.deepEqual({ hits, stored, misses }, { hits: 3, stored: 1, misses: 2 })
})

test('what was changed is made again', async () => {
  const { shelf } = shelfWith()
  const { read, change } = source()
  const ask = async () => (await shelf.get('a', async () => held(read()))).value
  for (let count = 0; count < 3; count += 1) await ask()
  change()
  assert.equal(await ask(), 'after 1 changes')
})

test('whoever asks while it is made gets the same, but not if it was changed before they asked', async () => {
  const { shelf } = shelfWith()
  const { read, change } = source()
  await shelf.get('a', async () => held(read()))
  const gate = Promise.withResolvers<void>()
  let made = 0
  const slowly = async () => {
    made += 1
    const value = read()
    await gate.promise
    return held(value)
  }
  const first = shelf.get('a', slowly)
  const same = shelf.get('a', slowly)
  await new Promise(setImmediate)
  assert.equal(made, 1)
  change()
  const later = shelf.get('a', slowly)
  gate.resolve()
  assert.equal((await first).value, 'after 0 changes')
  // It asked before the change: either is right.
  assert.match((await same).value, /after [01] changes/)
  assert.equal((await later).value, 'after 1 changes')
})

test('it ends by itself, and a clock that is set back ends it too', async () => {
  let now = 1_000_000
  const { shelf } = shelfWith({ clock: { now: () => new Date(now) } })
  let made = 0
  const ask = () =>
    shelf.get('a', async () => {
      made += 1
      return held('x', 60_000)
    })
  await ask()
  await ask()
  assert.deepEqual([(await ask()).holdsMs, made], [60_000, 2])
  now += 59_000
  assert.deepEqual([(await ask()).holdsMs, made], [1000, 2])
  now += 1000
  await ask()
  assert.equal(made, 3)
  now -= 10_000
  await ask()
  assert.equal(made, 4)
})

test('what was read in a way that says nothing is not kept, nor what failed, nor what holds for no time', async () => {
  const { shelf, kept } = shelfWith()
  for (let count = 0; count < 3; count += 1) {
    await shelf.get('unknown', async () => {
      knownReads.note(undefined)
      return held('x')
    })
    await shelf.get('never', async () => held('x', 0))
    await assert.rejects(shelf.get('failed', () => Promise.reject(new Error('no'))))
  }
  assert.equal(kept.figures().kept, 0)
})

test('however much is asked for, what is kept has a bound; a single one may take an eighth of it', async () => {
  const { shelf, kept } = shelfWith({ bytes: 10 * KIBIBYTE })
  for (let count = 0; count < 200; count += 1)
    for (const _ of [1, 2]) await shelf.get(`page ${count}`, async () => held('x'))
  const { bytes, maxBytes, entries } = kept.figures()
  assert.ok(entries > 10 && bytes <= maxBytes, `${entries} with ${bytes} bytes`)
  const large = shelfWith({ bytes: 40 * KIBIBYTE })
  for (let count = 0; count < 3; count += 1) await large.shelf.get('large', async () => held('x'))
  assert.equal(large.kept.figures().entries, 0)
})

test('who waits for a turn looks again when it comes', async () => {
  const { shelf } = shelfWith()
  await shelf.get('a', async () => held('x'))
  let made = 0
  const turns: (() => void)[] = []
  const inTurn = <R>(work: () => Promise<R>): Promise<R> =>
    new Promise((resolve, reject) => turns.push(() => void work().then(resolve, reject)))
  const ask = () =>
    shelf.get(
      'a',
      async () => {
        made += 1
        return held('x')
      },
      inTurn,
    )
  const all = Promise.all([ask(), ask(), ask()])
  await new Promise(setImmediate)
  for (const turn of turns) {
    turn()
    await new Promise(setImmediate)
  }
  await all
  assert.equal(made, 1)
})
