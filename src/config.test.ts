import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigFault, readConfig } from './config.ts'

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigFault)
    return error.faults
  }
}

const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://id.example.org',
  DATABASE_URL: 'postgres://m:p@db/minaret',
  MINARET_SECRET: 'x'.repeat(40),
}

test('an empty environment is development on the documented ports', () => {
  const config = readConfig({})
  assert.deepEqual([config.mode, config.port, config.sandboxPort, config.demoData], ['development', 3000, 3001, true])
  assert.ok(config.dataDir.endsWith('.minaret'))
  assert.ok(Object.isFrozen(config))
})

test('production is complete or it does not start, with every error listed at once', () => {
  const faults = faultsOf({ NODE_ENV: 'production' })
  assert.deepEqual(
    faults.map(fault => fault.split(' ')[0]),
    ['BASE_URL', 'DATABASE_URL', 'MINARET_SECRET'],
  )
  assert.deepEqual(faultsOf(production), [])
})

test('production refuses a base URL that is not https', () => {
  const faults = faultsOf({ ...production, BASE_URL: 'http://id.example.org' })
  assert.equal(faults.length, 1)
  assert.match(faults[0] ?? '', /https/)
})

test('production never has demo data', () => {
  assert.equal(readConfig({ ...production, DEMO_DATA: 'on' }).demoData, false)
})

test('an unreadable value is one error, and not also reported as missing', () => {
  const faults = faultsOf({ ...production, BASE_URL: 'ftp://x', DATABASE_URL: 'mysql://x', MINARET_SECRET: 'short' })
  assert.deepEqual(
    faults.map(fault => fault.split(' ')[0]),
    ['BASE_URL', 'DATABASE_URL', 'MINARET_SECRET'],
  )
  assert.match(faults[0] ?? '', /ftp:/)
})

test('each bad value is named with its fix, all at once', () => {
  const faults = faultsOf({
    PORT: '70000',
    SANDBOX_PORT: 'x',
    BASE_URL: 'ftp://x',
    DATABASE_URL: 'mysql://x',
    DEMO_DATA: 'yes',
    LOG_LEVEL: 'loud',
    MINARET_SECRET: 'short',
    SMTP_URL: 'mail',
    WORKERS: '0',
  })
  assert.deepEqual(
    faults.map(fault => fault.split(' ')[0]),
    [
      'PORT',
      'SANDBOX_PORT',
      'BASE_URL',
      'DATABASE_URL',
      'DEMO_DATA',
      'MINARET_SECRET',
      'SMTP_URL',
      'LOG_LEVEL',
      'WORKERS',
    ],
  )
  for (const fault of faults) assert.match(fault, /\. (Use|Leave)|Use /)
})

test('a trailing slash of the base URL is removed, since issuers are compared exactly', () => {
  assert.equal(readConfig({ BASE_URL: 'https://id.example.org/' }).baseUrl, 'https://id.example.org')
})

test('an error message never contains a secret', () => {
  const [fault] = faultsOf({ DATABASE_URL: 'mysql://me:hunter2hunter2@db/x' })
  assert.ok(!fault?.includes('hunter2'))
})
