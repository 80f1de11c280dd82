import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWatch } from '../../../test/support/waited.ts'
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

const who = 'a visitor'

const held = (value: string, holdsMs = 60_000): Held<string> => ({ value, holdsMs })

test('what nobody changes is made twice, as once is not often enough to be kept', async () => {
  const { shelf, kept } = shelfWith()
  const { read } = source()
  let made = 0
  const make = async () => {
    made += 1
    return held(read())
  }
  for (let count = 0; count < 5; count += 1)
    assert.equal((await shelf.get('a', make, { who })).value, 'after 0 changes')
  assert.equal(made, 2)
  const { hits, kept: stored, misses } = kept.figures()
  assert.deepEqual({ hits, stored, misses }, { hits: 3, stored: 1, misses: 2 })
})

test('what was changed is made again', async () => {
  const { shelf } = shelfWith()
  const { read, change } = source()
  const ask = async () => (await shelf.get('a', async () => held(read()), { who })).value
  for (let count = 0; count < 3; count += 1) await ask()
  change()
  assert.equal(await ask(), 'after 1 changes')
})

test('whoever asks while it is made gets the same, but not if it was changed before they asked', async () => {
  const { shelf } = shelfWith()
  const { read, change } = source()
  await shelf.get('a', async () => held(read()), { who })
  const gate = Promise.withResolvers<void>()
  let made = 0
  const slowly = async () => {
    made += 1
    const value = read()
    await gate.promise
    return held(value)
  }
  const first = shelf.get('a', slowly, { who })
  const same = shelf.get('a', slowly, { who })
  await new Promise(setImmediate)
  assert.equal(made, 1)
  change()
  const later = shelf.get('a', slowly, { who })
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
    shelf.get(
      'a',
      async () => {
        made += 1
        return held('x', 60_000)
      },
      { who },
    )
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
    const unknown = async () => {
      knownReads.note(undefined)
      return held('x')
    }
    await shelf.get('unknown', unknown, { who })
    await shelf.get('never', async () => held('x', 0), { who })
    await assert.rejects(shelf.get('failed', () => Promise.reject(new Error('no')), { who }))
  }
  assert.equal(kept.figures().kept, 0)
})

test('however much is asked for, what is kept has a bound; a single one may take an eighth of it', async () => {
  const { shelf, kept } = shelfWith({ bytes: 10 * KIBIBYTE })
  for (let count = 0; count < 200; count += 1)
    for (const _ of [1, 2]) await shelf.get(`page ${count}`, async () => held('x'), { who })
  const { bytes, maxBytes, entries } = kept.figures()
  assert.ok(entries > 10 && bytes <= maxBytes, `${entries} with ${bytes} bytes`)
  const large = shelfWith({ bytes: 40 * KIBIBYTE })
  for (let count = 0; count < 3; count += 1) await large.shelf.get('large', async () => held('x'), { who })
  assert.equal(large.kept.figures().entries, 0)
})

test('who waits for a turn looks again when it comes', async () => {
  const { shelf } = shelfWith()
  await shelf.get('a', async () => held('x'), { who })
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
      { who, inTurn },
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

/** Asked for before, so that it would be kept. */
const sighted = async (key: string) => {
  const { shelf, kept } = shelfWith()
  await shelf.get(key, async () => held('before'), { who })
  return { shelf, kept }
}

test('whoever waits for what fails makes it without that failure, all of them at once', async () => {
  const { shelf } = await sighted('a')
  const gate = Promise.withResolvers<void>()
  const fails = async () => {
    await gate.promise
    throw new Error('only my affair')
  }
  const first = assert.rejects(shelf.get('a', fails, { who: 'an attacker' }), /only my affair/)
  const all = Array.from({ length: 50 }, () => shelf.get('a', async () => held('made'), { who }))
  gate.resolve()
  await first
  for (const one of await Promise.all(all)) assert.equal(one.value, 'made')
})

test('what is never finished holds up others for a second, once, and not for ever', async () => {
  const { shelf, kept } = await sighted('a')
  void shelf.get('a', () => new Promise(() => undefined), { who: 'an attacker' })
  const watch = startWatch()
  const some = Array.from({ length: 20 }, () => shelf.get('a', async () => held('made'), { who }))
  for (const one of await Promise.all(some)) assert.equal(one.value, 'made')
  assert.ok(watch() < 2500, `${watch()} ms`)
  assert.ok(kept.figures().entries > 0)
  const again = await shelf.get('a', () => Promise.reject(new Error('it is kept')), { who })
  assert.equal(again.value, 'made')
})

test('whoever waits for what is not kept waits once', async () => {
  const { shelf } = await sighted('a')
  const gates: (() => void)[] = []
  const never = () => new Promise<Held<string>>(resolve => gates.push(() => resolve(held('x', 0))))
  const all = Promise.all(Array.from({ length: 10 }, () => shelf.get('a', never, { who })))
  await new Promise(setImmediate)
  assert.equal(gates.length, 1)
  gates.pop()?.()
  await new Promise(setImmediate)
  assert.equal(gates.length, 9, 'the others make it side by side')
  for (const open of gates) open()
  await all
})

test('one who asks for thousands of others displaces nothing that others use', async () => {
  const { shelf, kept } = shelfWith({ bytes: 10 * KIBIBYTE })
  let made = 0
  const popular = async (page: number) => {
    const make = async () => {
      made += 1
      return held('popular')
    }
    await shelf.get(`popular ${page}`, make, { who: `visitor ${page}` })
  }
  for (let page = 0; page < 5; page += 1) for (const _ of [1, 2]) await popular(page)
  assert.equal(made, 10)
  for (let count = 0; count < 2000; count += 1) {
    for (const _ of [1, 2]) await shelf.get(`q=${count}`, async () => held('x'), { who: 'an attacker' })
    if (count % 200 === 0) for (let page = 0; page < 5; page += 1) await popular(page)
  }
  assert.equal(made, 10, 'they came from memory all the time')
  const { bytes, maxBytes } = kept.figures()
  assert.ok(bytes <= maxBytes)
})
