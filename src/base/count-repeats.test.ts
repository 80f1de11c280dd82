import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createLogger, type Logger } from './log.ts'
import { toFault } from './to-fault.ts'

interface Written {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly stack: string }
  readonly repeated?: number
  readonly reason?: string
  readonly requestIds?: readonly string[]
  readonly [name: string]: unknown
}

const openLog = (t: TestContext): { readonly log: Logger; lines(): Written[]; pass(seconds: number): void } => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: string[] = []
  const log = createLogger('info', { write: line => void written.push(line) })
  return {
    log,
    lines: () => written.splice(0).map(line => JSON.parse(line) as Written),
    pass: seconds => {
      for (let second = 0; second < seconds; second += 1) t.mock.timers.tick(1000)
    },
  }
}

const away = (): Error => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('errors that repeat', () => {
  test('are one in full, then one line a second with their number and a few ids', t => {
    const { log, lines, pass } = openLog(t)
    const fail = (id: string): void => log.error({ err: away(), requestId: id }, 'The database cannot be reached.')
    for (let number = 0; number < 1000; number += 1) fail(uuidOf(number))
    const [first, ...others] = lines()
    assert.match(first?.err?.stack ?? '', /ECONNREFUSED[\s\S]*\n {4}at /)
    assert.equal(first?.requestId, uuidOf(0))
    assert.deepEqual(others, [])
    pass(1)
    const [counted, ...more] = lines()
    assert.deepEqual(more, [])
    assert.deepEqual([counted?.level, counted?.repeated, counted?.msg], [50, 999, 'The database cannot be reached.'])
    assert.deepEqual(counted?.requestIds, [1, 2, 3, 4, 5].map(uuidOf))
    assert.match(counted?.reason ?? '', /ECONNREFUSED/)
    assert.equal(counted?.err, undefined)
    pass(1)
    assert.deepEqual(lines(), [])
    fail(uuidOf(1000))
    assert.deepEqual(lines(), [])
    pass(1)
    assert.equal(lines()[0]?.repeated, 1)
  })

  test('keep every id that a caller was told', t => {
    const { log, lines, pass } = openLog(t)
    const told = Array.from({ length: 300 }, (_, number) =>
      toFault(new TypeError('of ours'), { id: uuidOf(number), log }),
    )
    pass(1)
    const [first, counted] = lines()
    const found = [String(first?.requestId), ...(counted?.requestIds ?? [])]
    assert.equal(found.length, told.length)
    for (const [index, { message }] of told.entries()) assert.ok(message.includes(found[index] ?? 'none'), message)
  })

  test('are of different kinds by text, reason and what they are about', t => {
    const { log, lines } = openLog(t)
    log.error({ err: away() }, 'one')
    log.error({ err: away() }, 'another')
    log.warn({ err: away() }, 'one')
    log.error({ err: new Error('for another reason') }, 'one')
    log.error({ err: away(), endpoint: 'a' }, 'one')
    log.error({ err: away(), endpoint: 'b' }, 'one')
    assert.equal(lines().length, 6)
    log.error({ err: away(), endpoint: 'b' }, 'one')
    log.error({ err: new Error('for another reason') }, 'one')
    assert.equal(lines().length, 0)
  })

  test('are of one kind if only numbers and ids in their reason differ', t => {
    const { log, lines } = openLog(t)
    for (const number of [1, 22, 333]) log.error({ err: new Error(`process ${number} of ${uuidOf(number)}`) }, 'one')
    assert.equal(lines().length, 1)
  })

  test('are in full again after a quiet minute, and every ten minutes while they go on', t => {
    const { log, lines, pass } = openLog(t)
    const fail = (): void => log.error({ err: away() }, 'one')
    fail()
    pass(59)
    fail()
    pass(1)
    assert.deepEqual(
      lines().map(({ repeated }) => repeated),
      [undefined, 1],
    )
    pass(60)
    fail()
    assert.notEqual(lines()[0]?.err, undefined)
    for (let second = 0; second < 600; second += 1) {
      fail()
      pass(1)
    }
    assert.ok(lines().every(({ err }) => err === undefined))
    fail()
    assert.notEqual(lines()[0]?.err, undefined)
  })

  test('take bounded memory: the oldest kind is told and forgotten', t => {
    const { log, lines } = openLog(t)
    log.error({ err: away() }, 'the oldest')
    log.error({ err: away() }, 'the oldest')
    const letters = (number: number): string => [...String(number)].map(digit => 'abcdefghij'[Number(digit)]).join('')
    for (let number = 0; number < 1000; number += 1) log.error({ err: new Error(letters(number)) }, 'one')
    const written = lines()
    assert.equal(written.filter(({ err }) => err !== undefined).length, 1001)
    assert.deepEqual(
      written.filter(({ repeated }) => repeated !== undefined).map(({ msg, repeated }) => [msg, repeated]),
      [['the oldest', 1]],
    )
  })

  test('by a child of the log are counted with the others, and other lines are left alone', t => {
    const { log, lines } = openLog(t)
    log.error({ err: away() }, 'one')
    log.child({ of: 'a request' }).error({ err: away() }, 'one')
    assert.equal(lines().length, 1)
    for (let time = 0; time < 3; time += 1) {
      log.info({ err: away() }, 'one')
      log.error('a text')
      log.error({ reason: 'none' }, 'a text')
    }
    assert.equal(lines().length, 9)
  })

  test('never show a secret when they are counted', t => {
    const { log, lines, pass } = openLog(t)
    for (let time = 0; time < 2; time += 1)
      log.error({ err: new Error('postgres://minaret:hunter2@db refused'), token: 'hunter2' }, 'one')
    pass(1)
    assert.doesNotMatch(JSON.stringify(lines()), /hunter2/)
  })
})
