import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigFault, readConfig } from './config.ts'
import { allSettings } from './settings.ts'

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
      'WORKERS',
      'LOG_LEVEL',
      'DATABASE_URL',
      'DEMO_DATA',
      'MINARET_SECRET',
      'SMTP_URL',
    ],
  )
  for (const fault of faults) assert.match(fault, /\. (Use|Leave)|Use /)
})

const refused: Readonly<Record<string, readonly string[]>> = {
  MAIL_FROM: [
    'nonsense',
    'Masjid <nonsense>',
    '<>',
    'x@',
    '@example.org',
    'a@b..org',
    'a@b, nonsense',
    'Minaret <mailto:a@example.org>',
    'https://example.org',
    'a@10.0.0.999',
  ],
  HOST: ['a b', 'http://localhost', 'localhost:3000', '[::1]', '10.0.0.999', 'a..b', '*', '0.0.0.0/0', '::1::'],
  METRICS_HOST: ['localhost:9464', '127.0.0.1/8', '*'],
  BASE_URL: [
    'nonsense',
    'id.example.org',
    'https:id.example.org',
    'https:/id.example.org',
    'https://',
    'https://*.example.org',
    'https://a b.example.org',
    'https://id.example.org:port',
    'https://id.example.org:70000',
    'https://id.example.org?',
    'https://id.example.org#',
    'https://me@id.example.org',
    'https://:word@id.example.org',
    'https://10.0.0.999',
  ],
  SANDBOX_URL: ['sandbox.example.org', 'https://id.example.org?x'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['127.0.0.1:4318', 'grpc://127.0.0.1:4317'],
  SMTP_URL: ['mail.example.org', 'mail.example.org:587', 'smtp:mail.example.org', 'smtp://mail.example.org:mail'],
  DATABASE_URL: [
    'db.example.org',
    'postgres:db',
    'postgres://m:p@db:port/minaret',
    'postgres://m:p@a:5432,b:x/minaret',
  ],
  DATABASE_LISTEN_URL: ['db.example.org:5432'],
  DATABASE_READ_URL: ['postgres://m:p@a/minaret, b'],
}

for (const [name, values] of Object.entries(refused))
  test(`${name} is refused with a value that means nothing`, () => {
    for (const value of values) {
      const [fault, ...others] = faultsOf({ [name]: value })
      assert.match(fault ?? '', new RegExp(`^${name} .*(Use|Leave out) `), value)
      assert.deepEqual(others, [])
    }
  })

const accepted: Readonly<Record<string, readonly string[]>> = {
  MAIL_FROM: [
    'a@example.org',
    '<a@example.org>',
    'Minaret <minaret@localhost>',
    'Masjid, The <a@example.org>',
    '"Masjid, The" <no.reply+x@mail.example.org>',
    'مسجد النور <a@example.org>',
    'a@مسجد.example',
    'Minaret a@example.org',
    'a@example.org, b@example.org',
    '"a b"@example.org',
    'a@[192.0.2.1]',
  ],
  HOST: [
    'localhost',
    '0.0.0.0',
    '127.0.0.1',
    '127.1',
    '::',
    '::1',
    'fe80::1%eth0',
    'my-machine',
    'a_b.internal',
    'x.org.',
  ],
  METRICS_HOST: ['0.0.0.0', 'metrics.internal'],
  BASE_URL: [
    'http://localhost:3000',
    'https://id.example.org',
    'https://x.org/id/',
    'http://[::1]:3000',
    'https://مسجد.example',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['http://127.0.0.1:4318', 'https://collector.example.org/otlp'],
  SMTP_URL: ['smtp://localhost', 'smtps://me%40x:word@mail.example.org:465', 'smtp://[::1]:25'],
  DATABASE_URL: [
    'postgres://m:p@db/minaret',
    'postgresql://m:p@a:5432,b:5432/minaret?sslmode=require',
    'postgres:///minaret?host=/var/run/postgresql',
  ],
}

for (const [name, values] of Object.entries(accepted))
  test(`${name} is accepted in every form that works`, () => {
    for (const value of values) assert.deepEqual(faultsOf({ [name]: value }), [], value)
  })

test('a trailing slash of the base URL is removed, since issuers are compared exactly', () => {
  assert.equal(readConfig({ BASE_URL: 'https://id.example.org/' }).baseUrl, 'https://id.example.org')
})

test('an error message never contains a secret', () => {
  const [fault] = faultsOf({ DATABASE_URL: 'mysql://me:hunter2hunter2@db/x' })
  assert.ok(!fault?.includes('hunter2'))
})

describe('secrets from files', () => {
  const inFolder = (work: (write: (text: string) => string, folder: string) => void): void => {
    const folder = mkdtempSync(join(tmpdir(), 'minaret-config-'))
    const write = (text: string): string => {
      const path = join(folder, 'secret')
      writeFileSync(path, text)
      return path
    }
    try {
      work(write, folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('every setting that can hold a secret can be read from a file', () => {
    const holding = [
      'DATABASE_URL',
      'DATABASE_LISTEN_URL',
      'DATABASE_READ_URL',
      'MINARET_SECRET',
      'SMTP_URL',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ]
    const secret = allSettings.filter(one => one.secret).map(({ name }) => name)
    assert.deepEqual(
      holding.filter(name => !secret.includes(name)),
      [],
    )
    const values: Readonly<Record<string, string>> = {
      MINARET_SECRET: 'y'.repeat(40),
      SMTP_URL: 'smtps://me:pass@mail.example.org',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of the collector',
    }
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    for (const name of holding)
      inFolder(write => {
        const value = values[name] ?? 'postgres://m:p@db/minaret'
        const { [name as 'DATABASE_URL']: _, ...others } = production
        const config = readConfig({ ...others, ...collector, [`${name}_FILE`]: write(value) })
        assert.ok(JSON.stringify(config).includes(value.replace('api-key=', '')), name)
      })
  })

  test('the line break at the end of a file is no part of the secret', () => {
    for (const end of ['\n', '\r\n', ''])
      inFolder(write =>
        assert.equal(readConfig({ MINARET_SECRET_FILE: write(`${'z'.repeat(40)}${end}`) }).secret, 'z'.repeat(40)),
      )
  })

  test('a variable and its file together are refused', () => {
    inFolder(write => {
      const faults = faultsOf({ ...production, MINARET_SECRET_FILE: write('y'.repeat(40)) })
      assert.deepEqual(faults, ['MINARET_SECRET is set, and so is MINARET_SECRET_FILE. Use only one of them.'])
    })
  })

  test('a file that cannot be used is named with the reason, once, and its text is not shown', () => {
    const { MINARET_SECRET: _, ...others } = production
    inFolder((write, folder) => {
      const fault = (path: string): string => {
        const faults = faultsOf({ ...others, MINARET_SECRET_FILE: path })
        assert.equal(faults.length, 1, faults.join())
        return faults[0] ?? ''
      }
      assert.match(
        fault(join(folder, 'nowhere')),
        /^MINARET_SECRET cannot be read: .*nowhere.*MINARET_SECRET_FILE, does not exist/,
      )
      assert.match(fault(folder), /is a folder/)
      assert.match(fault(write(' \n')), /is empty/)
      assert.doesNotMatch(fault(write('hunter2')), /hunter2/)
    })
  })

  test('settings without secrets have no file', () => {
    assert.equal(readConfig({ PORT_FILE: '/nowhere' }).port, 3000)
  })
})
