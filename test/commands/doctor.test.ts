// `minaret doctor` against installations that really are broken: each fault is found, and names what mends it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { readOwnBuild } from '../../src/base/build/own-build.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { diagnose } from '../../src/commands/doctor/diagnose.ts'
import type { Finding } from '../../src/commands/doctor/finding.ts'
import { readConfig } from '../../src/config/config.ts'
import { migrate } from '../../src/db/migrate.ts'
import { withClient } from '../../src/db/with-client.ts'
import { runtimeRules } from '../../src/db/zone-offsets/stored-rules.ts'
import { noPostgresql15, startFreshCluster15 } from '../support/cluster-15.ts'
import { asAdmin, createEmptyDatabase, createTestDatabase, urlOf } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { runCommand, temporaryFolder } from '../support/process.ts'

const minaret = useMinaret()

const RANDOM_SECRET = 'q9Zr4Tn1vKf8Wm2Xc7Bd5Hy3Lj6Gp0AsUeIoNw'

/** Of the running service. */
const settings = (): Record<string, string> => ({
  DATABASE_URL: minaret().databaseUrl,
  MINARET_SECRET: TEST_SECRET,
  BASE_URL: minaret().baseUrl,
  SANDBOX_URL: minaret().sandboxUrl,
})

interface Report {
  readonly status: number
  readonly healthy: boolean
  readonly findings: readonly Finding[]
  /** The finding of one check, which has to be there. */
  of(check: string): Finding
}

const examine = async (environment: Record<string, string>): Promise<Report> => {
  const { status, stdout, stderr } = await runCommand(['doctor', '--json'], environment)
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] }
  assert.equal(status, healthy ? 0 : 1, stderr)
  return { status, healthy, findings, of: check => find(findings, check) }
}

const find = (findings: readonly Finding[], check: string): Finding => {
  const found = findings.find(finding => finding.check === check)
  assert.ok(found, `${check} in ${JSON.stringify(findings)}`)
  return found
}

const assertFault = ({ status, found, remedy }: Finding, expected: RegExp, mended: RegExp): void => {
  assert.equal(status, 'fault', found)
  assert.match(found, expected)
  assert.match(remedy ?? '', mended)
}

test('--version prints the version of the package and the commit, whatever the settings', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const { commit } = readOwnBuild()
  const wrong = { NODE_ENV: 'production', DATABASE_URL: 'nonsense', MAIL_FROM: 'nonsense', PORT: 'nonsense' }
  const { status, stdout } = await runCommand(['--version'], wrong)
  assert.deepEqual([status, stdout], [0, `minaret ${version} (commit ${commit}, Node ${process.versions.node})\n`])
})

describe('a healthy installation', () => {
  test('has no fault, and its URLs lead to itself', async () => {
    const { status, healthy, findings, of } = await examine(settings())
    assert.deepEqual(
      findings.filter(finding => finding.status === 'fault'),
      [],
    )
    assert.deepEqual([status, healthy], [0, true])
    for (const check of ['database', 'writable', 'version', 'encoding', 'extensions', 'rights', 'roles', 'migrations'])
      assert.equal(of(check).status, 'ok', check)
    for (const check of ['change-log', 'logs', 'clock', 'time-zones', 'connections', 'pooler', 'disk', 'signing-keys'])
      assert.equal(of(check).status, 'ok', check)
    assert.match(of('base-url').found, /leads to this installation/)
    for (const check of ['sandbox-url', 'clients', 'sandbox-clients']) assert.equal(of(check).status, 'ok', check)
    // The tests' secret is a sentence.
    assert.equal(of('secret').status, 'warning')
  })

  test('is described in lines for people, each fault with what to do', async () => {
    const { status, stdout } = await runCommand(['doctor'], { ...settings(), MINARET_SECRET: RANDOM_SECRET })
    assert.equal(status, 1)
    assert.match(stdout, /✔ version {11}PostgreSQL/)
    assert.match(stdout, /✘ signing-keys {6}MINARET_SECRET does not decrypt.*\n {20}→ Set MINARET_SECRET to the one/)
    assert.match(stdout, /\n1 fault must be mended/)
  })
})

describe('the secret', () => {
  test('of another installation', async () => {
    const { of } = await examine({ ...settings(), MINARET_SECRET: RANDOM_SECRET })
    assertFault(of('signing-keys'), /does not decrypt/, /first started with/)
    assert.equal(of('secret').status, 'ok')
  })

  test('that somebody could guess is a fault in production', async () => {
    for (const secret of ['ab'.repeat(20), 'please change me before going live', TEST_SECRET]) {
      const production = { NODE_ENV: 'production', BASE_URL: 'https://localhost:1' }
      const { of } = await examine({ ...settings(), ...production, MINARET_SECRET: secret })
      assertFault(of('secret'), /guesses/, /openssl rand/)
    }
  })
})

describe('the database', () => {
  test('that does not answer is a fault, its password is not shown, and mail is checked all the same', async () => {
    const mail = await startMailServer()
    try {
      const { stdout, stderr, status } = await runCommand(['doctor', '--json'], {
        ...settings(),
        DATABASE_URL: 'postgres://minaret:hunter2@127.0.0.1:1/minaret',
        SMTP_URL: mail.url,
      })
      assert.equal(status, 1)
      const { findings } = JSON.parse(stdout) as { findings: Finding[] }
      assertFault(find(findings, 'database'), /cannot be reached: .*ECONNREFUSED/, /start PostgreSQL/)
      assert.equal(find(findings, 'mail').status, 'ok')
      assert.doesNotMatch(stdout + stderr, /hunter2/)
    } finally {
      await mail.close()
    }
  })

  test('without rights: what the remedies say mends it', async () => {
    const database = await createEmptyDatabase()
    const { connection } = database
    const role = `poor_${connection.database}`
    try {
      await asAdmin(client => client.query(`create role ${role} login password 'poor'`))
      const url = urlOf({ ...connection, user: role, password: 'poor' })
      const before = await examine({ DATABASE_URL: url, MINARET_SECRET: RANDOM_SECRET })
      assertFault(before.of('rights'), /lacks rights/, /grant create on database/)
      assertFault(before.of('roles'), /cannot create roles/, /createrole/)
      for (const { check, remedy } of before.findings.filter(({ check }) => ['rights', 'roles'].includes(check))) {
        const statements = /run: (.*;)$/.exec(remedy ?? '')?.[1]
        assert.ok(statements, check)
        await withClient(connection, client => client.query(statements))
      }
      const after = await examine({ DATABASE_URL: url, MINARET_SECRET: RANDOM_SECRET })
      assert.deepEqual([after.of('rights').status, after.of('roles').status], ['ok', 'ok'])
    } finally {
      await database.drop()
      await asAdmin(client => client.query(`drop role if exists ${role}`))
    }
  })

  test('whose tables belong to somebody else', async () => {
    const database = await createTestDatabase()
    const role = `stranger_${database.connection.database}`
    try {
      await asAdmin(client => client.query(`create role ${role} login createrole password 'poor'`))
      const url = urlOf({ ...database.connection, user: role, password: 'poor' })
      const { of } = await examine({ DATABASE_URL: url, MINARET_SECRET: RANDOM_SECRET })
      // PostgreSQL refuses to reassign what the cluster's first role owns.
      assertFault(of('ownership'), /belong to another role/, /run bin\/minaret backup as .* restore as stranger_/)
    } finally {
      await database.drop()
      await asAdmin(client => client.query(`drop role if exists ${role}`))
    }
  })

  test('in another encoding', async () => {
    const name = `latin_${process.pid}_${Date.now()}`
    const locale = "locale_provider libc lc_collate 'C' lc_ctype 'C'"
    try {
      const url = await asAdmin(async client => {
        await client.query(`create database ${name} encoding 'LATIN1' template template0 ${locale}`)
        return urlOf({ ...client, user: client.user, password: String(client.password), database: name })
      })
      const { of } = await examine({ DATABASE_URL: url, MINARET_SECRET: RANDOM_SECRET })
      assertFault(of('encoding'), /LATIN1/, /create database minaret encoding 'UTF8'/)
    } finally {
      await asAdmin(client => client.query(`drop database if exists ${name} with (force)`))
    }
  })

  test('with migrations to come, or of a later version; looking changes nothing', async () => {
    const empty = await createEmptyDatabase()
    const newer = await createTestDatabase()
    try {
      const { of } = await examine({ DATABASE_URL: empty.url, MINARET_SECRET: RANDOM_SECRET })
      assert.match(of('migrations').found, /migrations have not run, from minaret\/0001_setup on/)
      const { rows } = await withClient(empty.connection, client =>
        client.query("select to_regnamespace('minaret') is null as untouched"),
      )
      assert.equal(rows[0].untouched, true)
      await withClient(newer.connection, client =>
        client.query("insert into minaret.migrations_identity (name, run_on) values ('9999_later', now())"),
      )
      const later = await examine({ DATABASE_URL: newer.url, MINARET_SECRET: RANDOM_SECRET })
      assert.equal(later.of('migrations').status, 'warning')
      assert.match(later.of('migrations').found, /later version, minaret\/9999_later/)
    } finally {
      await empty.drop()
      await newer.drop()
    }
  })

  describe('time zones', () => {
    const place = (
      timezone: string,
    ): string => `insert into up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
      values ('far', 'Far', '1 Crater', 'Tranquility', 'US', 0, 0, '${timezone}')`
    const later = (zone: string, rules: string): string =>
      `update zone_offsets set clock.seconds[cardinality((clock).seconds)] = 60, rules = '${rules}' where zone = '${zone}'`

    const lookAfter = async (
      ...statements: readonly string[]
    ): Promise<{ readonly found: Finding; readonly all: readonly Finding[]; migrated(): Promise<Finding> }> => {
      const database = await createTestDatabase()
      after(() => database.drop())
      await withClient(database.connection, async client => {
        for (const statement of statements) await client.query(statement)
      })
      const look = () => examine({ DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })
      const { of, findings } = await look()
      const migrated = async () => {
        await migrate(database.connection, createLogger('silent'))
        return (await look()).of('time-zones')
      }
      return { found: of('time-zones'), all: findings.filter(({ check }) => check === 'time-zones'), migrated }
    }

    test('that we do not know', async () => {
      const { all } = await lookAfter(
        'alter table up_masjids disable trigger check_time_zone',
        place('Moon/Tranquility'),
      )
      assert.ok(
        all.some(({ status, found }) => status === 'warning' && /does not know Moon\/Tranquility: /.test(found)),
      )
    })

    test('stored otherwise, which migrating mends', async () => {
      const { found, migrated } = await lookAfter(place('Asia/Karachi'), later('Asia/Karachi', runtimeRules()))
      assert.equal(found.status, 'warning')
      assert.match(found.found, /are not those of this version .*differ for Asia\/Karachi \(from 20/)
      assert.match(found.remedy ?? '', /minaret migrate/)
      assert.equal((await migrated()).status, 'ok')
    })

    test('by newer rules than ours, which migrating leaves alone', async () => {
      const { found, migrated } = await lookAfter(place('Asia/Karachi'), later('Asia/Karachi', '2999a.1'))
      assert.equal(found.status, 'warning')
      assert.match(found.found, /are older than those stored \(2999a\), and differ for Asia\/Karachi \(from 20/)
      assert.match(found.remedy ?? '', /Finish the upgrade/)
      assert.deepEqual(await migrated(), found)
    })

    test('of an event, which the server itself knows otherwise, is no fault', async t => {
      const { rows } = await withClient(minaret().service.database.connection, client =>
        client.query(`select distinct zone from zone_offsets, generate_series(now(), now() + interval '400 days', interval '1 day') at
          where local_time(at, clock) <> at at time zone zone order by zone limit 1`),
      )
      if (rows.length === 0) return t.skip('this server has the rules of the runtime')
      const { all } = await lookAfter(
        place('Asia/Karachi'),
        `insert into up_events (masjid_id, title, starts_local, timezone) select id, 'Far', now(), '${rows[0].zone}' from up_masjids`,
      )
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(['ok']))
      assert.doesNotMatch(all.at(-1)?.found ?? '', /Karachi/)
      assert.match(
        all.at(-1)?.found ?? '',
        new RegExp(`server's own rules are others for ${rows[0].zone} \\(from .*local_time\\(\\)`),
      )
    })
  })

  test('that allows fewer connections than the processes open', async () => {
    const { of } = await examine({ ...settings(), WORKERS: '64', READ_CONNECTIONS: '4' })
    assertFault(of('connections'), /up to 3072 connections \(WORKERS=64\)/, /max_connections/)
  })

  test('whose clock differs', async () => {
    const hour = 3_600_000
    for (const [offset, expected] of [
      [hour, /3600\.\d seconds behind/],
      [-hour, /3[56]\d\d\.\d seconds ahead of/],
    ] as const) {
      const clock = { now: () => new Date(systemClock.now().getTime() + offset) }
      const findings = await diagnose(readConfig({ ...settings() }), { clock, say: () => undefined })
      assertFault(find(findings, 'clock'), expected, /time service/)
    }
  })

  test('of the oldest version is recognised', { skip: noPostgresql15 }, async () => {
    const cluster = await startFreshCluster15()
    try {
      const { of } = await examine({ DATABASE_URL: urlOf(cluster.connection), MINARET_SECRET: RANDOM_SECRET })
      assert.match(of('version').found, /^PostgreSQL 15\./)
      assert.equal(of('extensions').status, 'ok')
      assert.equal(of('connections').status, 'ok')
    } finally {
      await cluster.stop()
    }
  })

  test('that can only be read, whose remedy mends it', async () => {
    const database = await createTestDatabase()
    const { database: name } = database.connection
    try {
      await asAdmin(client => client.query(`alter database ${name} set default_transaction_read_only = on`))
      const before = (await examine({ DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })).of('writable')
      assertFault(before, /only lets this role read/, /^Run: .*reset default_transaction_read_only/)
      const [statement] = /alter database [^;]+/.exec(before.remedy ?? '') ?? []
      await asAdmin(client => client.query(String(statement)))
      const after = await examine({ DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })
      assert.equal(after.of('writable').status, 'ok')
    } finally {
      await database.drop()
    }
  })

  test('that has lost a schema', async () => {
    const database = await createTestDatabase()
    try {
      await withClient(database.connection, client => client.query('drop schema sandbox cascade'))
      const { of } = await examine({ DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })
      assertFault(of('schemas'), /The schema sandbox cannot be found/, /Restore the last backup/)
    } finally {
      await database.drop()
    }
  })

  test('that cannot be reached: which part of the address to look at', async () => {
    const url = 'postgres://a:b@127.0.0.1:1/minaret'
    const { remedy } = (await examine({ ...settings(), DATABASE_URL: url })).of('database')
    assert.match(remedy ?? '', /host and port in DATABASE_URL/)
  })

  test('is named as people know it, without its password', async () => {
    const { stderr } = await runCommand(['doctor'], settings())
    assert.match(stderr, /Installation: database \w+ on \S+, by DATABASE_URL/)
    assert.doesNotMatch(stderr, /undefined/)
  })

  test('that does not exist yet is not created', async () => {
    const folder = temporaryFolder()
    try {
      const { of, healthy } = await examine({ DATA_DIR: folder.path })
      assert.equal(of('database').status, 'skipped')
      assert.equal(healthy, true)
      assert.deepEqual(readdirSync(folder.path), [])
    } finally {
      folder.remove()
    }
  })
})

describe('the logs by month', () => {
  const examineLogs = async (prepare: string): Promise<Finding> => {
    const database = await createTestDatabase()
    try {
      await withClient(database.connection, client => client.query(prepare))
      return (await examine({ DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })).of('logs')
    } finally {
      await database.drop()
    }
  }

  test('whose coming months nobody opened are a warning', async () => {
    const finding = await examineLogs(`do $$ declare month regclass; begin
      for month in select partition from minaret.months_of('minaret.read_log') where begins > now() loop
        execute format('drop table %s', month);
      end loop; end $$`)
    assert.equal(finding.status, 'warning')
    assert.match(finding.found, /coming month of minaret\.read_log is not open \(the last one is \d{4}-\d{2}\)/)
    assert.match(finding.remedy ?? '', /Start a service/)
  })
})

/** An HTTP server that answers everything alike. */
const withSite = async (answer: (url: string) => [number, unknown], work: (url: string) => Promise<void>) => {
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [status, body] = answer(`${base}${request.url}`)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

describe('the public URLs', () => {
  test('that lead to something else', () =>
    withSite(
      () => [404, {}],
      async url => {
        const { of } = await examine({ ...settings(), BASE_URL: url, SANDBOX_URL: url })
        assertFault(of('base-url'), /not as Minaret does \(status 404\)/, /the proxy passes every path/)
        assertFault(of('sandbox-url'), /does not answer as the sandbox/, /SANDBOX_PORT/)
      },
    ))

  test('that lead to a service with another name', async () => {
    const other = minaret().baseUrl.replace('localhost', '127.0.0.1')
    const { of } = await examine({ ...settings(), BASE_URL: other })
    assertFault(of('base-url'), /calls itself http:\/\/localhost/, /the same BASE_URL/)
  })

  test('that lead to another installation', () =>
    withSite(
      asked => {
        const { origin, pathname } = new URL(asked)
        return [200, pathname === '/keys' ? { keys: [{ kid: 'x' }] } : { issuer: origin, jwks_uri: `${origin}/keys` }]
      },
      async url => {
        const { of } = await examine({ ...settings(), BASE_URL: url })
        assertFault(of('base-url'), /another installation/, /DATABASE_URL/)
      },
    ))

  test('that nobody answers are a fault while a service runs, and a warning before', async () => {
    const nowhere = { BASE_URL: 'http://127.0.0.1:1', SANDBOX_URL: 'http://127.0.0.1:1' }
    const running = await examine({ ...settings(), ...nowhere })
    assertFault(running.of('base-url'), /cannot be reached from here/, /Check BASE_URL, DNS/)
    const database = await createTestDatabase()
    try {
      const idle = await examine({ ...nowhere, DATABASE_URL: database.url, MINARET_SECRET: RANDOM_SECRET })
      assert.equal(idle.of('base-url').status, 'warning')
      assert.match(idle.of('base-url').found, /No service runs on this database/)
    } finally {
      await database.drop()
    }
  })
})

describe('the collector of traces', () => {
  const examineTraces = async (url: string): Promise<Finding> =>
    (await examine({ ...settings(), OTEL_EXPORTER_OTLP_ENDPOINT: url })).of('traces')

  test('that takes traces is fine, and one that does not says what to set', async () => {
    for (const [status, expected] of [
      [200, undefined],
      [401, /OTEL_EXPORTER_OTLP_HEADERS/],
      [404, /without \/v1\/traces/],
      [500, /whether the collector runs/],
    ] as const)
      await withSite(
        () => [status, {}],
        async url => {
          const { status: judged, remedy } = await examineTraces(url)
          assert.equal(judged, expected === undefined ? 'ok' : 'warning')
          if (expected !== undefined) assert.match(remedy ?? '', expected)
        },
      )
  })

  test('that is not there is a warning', async () => {
    const { status, found, remedy } = await examineTraces('http://127.0.0.1:1')
    assert.equal(status, 'warning')
    assert.match(found, /127\.0\.0\.1:1\/v1\/traces cannot be reached/)
    assert.match(remedy ?? '', /whether the collector runs/)
  })
})

/** Speaks SMTP by a table of answers. */
const withMailServer = async (
  answers: Readonly<Record<string, string>>,
  work: (host: string) => Promise<void>,
): Promise<void> => {
  const sockets = new Set<Socket>()
  const server = createSocketServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    socket.write(`${answers.greeting ?? '220 ready'}\r\n`)
    socket.on('data', line => {
      const word = String(line).slice(0, 4).trim().toLowerCase()
      socket.write(`${answers[word] ?? '250 fine'}\r\n`)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
}

describe('the mail server', () => {
  const examineMail = async (url: string, more: Record<string, string> = {}): Promise<Finding> =>
    (await examine({ ...settings(), ...more, SMTP_URL: url })).of('mail')

  test('that is not there', async () => {
    assertFault(await examineMail('smtp://127.0.0.1:1'), /127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/, /host, port/)
  })

  test('that turns everybody away', () =>
    withMailServer({ greeting: '554 go away' }, async host =>
      assertFault(await examineMail(`smtp://${host}`), /cannot be used: .*554/, /SMTP_URL/),
    ))

  test('that refuses the password, which is not shown', () =>
    withMailServer({ ehlo: '250-here\r\n250 AUTH PLAIN', auth: '535 wrong' }, async host => {
      const finding = await examineMail(`smtp://me:hunter2@${host}`)
      assertFault(finding, /cannot be used: .*535/, /Check user and password/)
      assert.doesNotMatch(JSON.stringify(finding), /hunter2/)
    }))

  test('that speaks no TLS where TLS is asked for', () =>
    withMailServer({}, async host =>
      assertFault(await examineMail(`smtps://${host}`), /cannot be used/, /protocol in SMTP_URL/),
    ))

  test('a sender at localhost is a warning in production', () =>
    withMailServer({}, async host => {
      const production = { NODE_ENV: 'production', BASE_URL: 'https://localhost:1', SMTP_URL: `smtp://${host}` }
      const { of } = await examine({ ...settings(), ...production })
      assert.equal(of('mail-sender').status, 'warning')
    }))
})
