import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { toFault } from '../base/to-fault.ts'
import { isDatabaseAway, toDatabaseFault } from './database-fault.ts'

test('an unavailable database: the caller learns nothing about it, and the log has SQLSTATE or errno', () => {
  for (const [code, shown] of [
    ['57P01', 'database-unavailable'],
    ['55P03', 'database-unavailable'],
    ['40P01', 'database-unavailable'],
    ['ECONNREFUSED', 'database-unavailable'],
    ['53100', 'storage-full'],
  ] as const) {
    const lines: string[] = []
    const log = pino({ redact: ['code', '*.code'] }, { write: line => void lines.push(line) })
    const cause = Object.assign(new Error('relation "secret" of host db.internal'), { code })
    const fault = toFault(toDatabaseFault(cause), { id: 'request', log })
    assert.deepEqual([fault.status, fault.code, Number(fault.headers['retry-after']) > 0], [503, shown, true])
    assert.doesNotMatch(fault.message, /secret|internal|57P01|ECONN/)
    assert.equal(JSON.parse(lines[0] ?? '{}').detail.sqlstateOrErrno, code)
  }
})

test('an error of a statement is no fault of the database', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505' })
  assert.equal(toDatabaseFault(cause), cause)
})

test('what fails while the database is away is told apart from what fails by itself', () => {
  const withCode = (code: string, message = 'of the driver'): Error => Object.assign(new Error(message), { code })
  const away = [
    ...['57P01', '57P03', '08006', '25006', '28P01', '3D000', 'ECONNREFUSED', 'ECONNRESET'].map(code => withCode(code)),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    Object.assign(withCode('ENOENT'), { syscall: 'connect' }),
    Object.assign(withCode('55000'), { routine: 'CheckMyDatabase' }),
    Object.assign(withCode('42501'), { routine: 'CheckMyDatabase' }),
  ]
  for (const error of away) {
    assert.ok(isDatabaseAway(error), error.message)
    assert.ok(isDatabaseAway(toDatabaseFault(error)), error.message)
    assert.ok(isDatabaseAway(new Error('the job failed', { cause: toDatabaseFault(error) })), error.message)
  }
  for (const code of ['23505', '57014', '55P03', '40P01', '53100', '53300', '42501', '55000', 'ENOENT', 'EACCES']) {
    assert.ok(!isDatabaseAway(withCode(code)), code)
    assert.ok(!isDatabaseAway(toDatabaseFault(withCode(code))), code)
  }
  assert.ok(!isDatabaseAway(new TypeError('of ours')))
  assert.ok(!isDatabaseAway(undefined))
})
