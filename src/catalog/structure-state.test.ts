import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Found,
  type Granted,
  initialState,
  isNew,
  isWorthReading,
  type StructureEvent,
  type StructureState,
  transition,
} from './structure-state.ts'

const found = (version: string, catalogue = version, logged: readonly number[] = []): Found => ({
  version,
  catalogue,
  logged: new Set(logged),
})
const fine: Granted = { withheld: '', corrected: false }
const quickly = { rightsToo: false }
const thoroughly = { rightsToo: true }

const after = (...events: readonly StructureEvent[]): StructureState => events.reduce(transition, initialState)
const asked = (look = quickly): StructureEvent => ({ kind: 'asked', look })
const built = (version: string, granted = fine): StructureEvent => ({ kind: 'built', found: found(version), granted })
const ended: StructureEvent = { kind: 'ended' }

describe('one read at a time', () => {
  test('the first request starts one', () => {
    const { reading, next } = after(asked())
    assert.deepEqual({ reading, next }, { reading: quickly, next: undefined })
  })

  test('requests during one all get the same next one', () => {
    const state = after(asked(), asked(), asked())
    assert.deepEqual([state.reading, state.next], [quickly, quickly])
    const second = transition(state, ended)
    assert.deepEqual([second.reading, second.next], [quickly, undefined])
    assert.equal(transition(second, ended).reading, undefined)
  })

  test('the next one checks rights if any of its requesters wanted that', () => {
    assert.deepEqual(after(asked(), asked(thoroughly), asked()).next, thoroughly)
    assert.deepEqual(after(asked(thoroughly), asked()).next, quickly)
  })
})

describe('what is read', () => {
  const state = after(asked(), built('1'), ended)

  test('a new version is used, the current one is not', () => {
    assert.equal(isWorthReading(state, quickly, found('2')), true)
    assert.equal(isWorthReading(state, quickly, found('1', 'other rights')), false)
  })

  test('the current one is, if rights are checked and have changed', () => {
    assert.equal(isWorthReading(state, thoroughly, found('1', 'other rights')), true)
    assert.equal(isWorthReading(state, thoroughly, found('1')), false)
  })

  test('the current one is, if other tables are logged', () => {
    const logging = transition(state, { kind: 'built', found: found('1', '1', [7, 8]), granted: fine })
    assert.equal(isWorthReading(logging, quickly, found('1', '1', [8, 7])), false)
    for (const others of [[7], [7, 9], [7, 8, 9]])
      assert.equal(isWorthReading(logging, quickly, found('1', '1', others)), true)
  })

  test('rights that had to be corrected are checked again the next time', () => {
    const corrected = transition(state, {
      kind: 'granted',
      found: found('1'),
      granted: { withheld: '', corrected: true },
    })
    assert.equal(isWorthReading(corrected, thoroughly, found('1')), true)
  })

  test('a version that cannot be built is not retried until another one was built', () => {
    const refused = transition(state, { kind: 'refused', version: '2' })
    assert.equal(isWorthReading(refused, thoroughly, found('2')), false)
    assert.equal(refused.version, '1')
    assert.equal(isWorthReading(transition(refused, built('3')), quickly, found('2')), true)
  })

  test('nothing, once closed', () => {
    assert.equal(isWorthReading(transition(state, { kind: 'closed' }), thoroughly, found('2')), false)
  })
})

describe('what is put in force', () => {
  const state = after(asked(), built('1'), ended)

  test('a new version, or the same with other tables left out or logged', () => {
    assert.equal(isNew(state, found('2'), fine), true)
    assert.equal(isNew(state, found('1', '1', [7]), fine), true)
    assert.equal(isNew(state, found('1'), { withheld: 'up_masjids', corrected: false }), true)
    assert.equal(isNew(state, found('1'), fine), false)
  })

  test('counts as a revision; granted rights do not', () => {
    assert.equal(state.revision, 1)
    assert.equal(transition(state, { kind: 'granted', found: found('1', 'x'), granted: fine }).revision, 1)
    assert.equal(transition(state, built('2')).revision, 2)
  })
})
