import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../../src/base/log.ts'
import { openListener } from '../../src/db/listener.ts'
import { loginNames } from '../../src/db/roles.ts'
import { withClient } from '../../src/db/with-client.ts'
import { asAdmin, createEmptyDatabase, createTestDatabase, type TestDatabase, urlOf } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { type Ended, runMinaret, startMinaretProcess } from '../support/process.ts'
import { startWatch } from '../support/waited.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

const start = (url: string): Promise<Ended> =>
  runMinaret(['serve'], { DATABASE_URL: url, MINARET_SECRET: TEST_SECRET, DEMO_DATA: 'off' })

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const assertClear = ({ status, stderr }: Ended, expected: RegExp): void => {
  assert.equal(status, 1, stderr)
  assert.match(stderr, expected)
  assert.doesNotMatch(stderr, /\n\s+at |node:internal/, 'no stack trace')
}

describe('a wrong database ends the start with one clear sentence', () => {
  const wrongs: Readonly<Record<string, readonly [change: (url: URL) => void, expected: RegExp]>> = {
    'a wrong password': [url => (url.password = 'wrong'), /cannot be used: it refuses the password/],
    'no such database': [url => (url.pathname = '/nowhere'), /nowhere on .* cannot be used: it has no such database/],
    'no such user': [url => (url.username = 'nobody_here'), /cannot be used: it (refuses the password|does not let)/],
  }
  for (const [name, [change, expected]] of Object.entries(wrongs))
    test(name, async () => {
      const database = await createTestDatabase()
      const url = new URL(database.url)
      change(url)
      assertClear(await start(url.href), expected)
      await database.drop()
    })

  test('not a PostgreSQL', async () => {
    const server = createHttpServer((_request, response) => response.end())
    const port = await listen(server)
    try {
      assertClear(
        await start(`postgres://minaret:x@127.0.0.1:${port}/minaret`),
        /cannot be used: it is not a PostgreSQL/,
      )
    } finally {
      server.close()
    }
  })
})

/** What a superuser would copy from the terminal. */
const statementsIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^ {2}(.+);$/gm)].map(([, sql = '']) => sql)

describe('an owner without the rights of one ends the start with the SQL that grants them, all at once', () => {
  const withRole = async (
    attributes: string,
    work: (owner: { readonly role: string; readonly url: string; readonly database: TestDatabase }) => Promise<void>,
  ): Promise<void> => {
    const database = await createEmptyDatabase()
    // Has to be quoted.
    const role = `Poor-${database.connection.database}`
    try {
      await asAdmin(client => client.query(`create role "${role}" login ${attributes} password 'poor'`))
      await work({ role, url: urlOf({ ...database.connection, user: role, password: 'poor' }), database })
    } finally {
      await database.drop()
      await asAdmin(client => client.query(`drop role if exists "${role}"`))
    }
  }
  const run = (database: TestDatabase, statements: readonly string[]): Promise<void> =>
    withClient(database.connection, async client => {
      for (const statement of statements) await client.query(statement)
    })
  const createSchemas = /^grant create on database test_\w+ to "Poor-\w+"$/
  const createTables = /^grant create on schema public to "Poor-\w+"$/
  const createRoles = /^alter role "Poor-\w+" createrole$/
  const groups = /^grant minaret_reader, .*, minaret_writer to "Poor-\w+" with admin option$/

  const lacking: readonly {
    readonly what: string
    readonly attributes: string
    readonly before?: (role: string, database: string) => readonly string[]
    readonly said: RegExp
    readonly told: readonly RegExp[]
  }[] = [
    {
      what: 'any',
      attributes: '',
      said: /does not let "Poor-\w+" do what Minaret needs: permission denied for database/,
      told: [createSchemas, createTables, createRoles, groups],
    },
    {
      what: 'create on the database',
      attributes: 'createrole',
      before: role => [`grant create on schema public to "${role}"`],
      said: /permission denied for database/,
      told: [createSchemas, groups],
    },
    {
      what: 'create on the schema public',
      attributes: 'createrole',
      before: (role, database) => [`grant create on database ${database} to "${role}"`],
      said: /permission denied for schema public/,
      told: [createTables, groups],
    },
    {
      what: 'createrole',
      attributes: '',
      before: (role, database) => [`alter database ${database} owner to "${role}"`],
      said: /permission denied to create role/,
      told: [createRoles, groups],
    },
  ]
  for (const { what, attributes, before = () => [], said, told } of lacking)
    test(what, () =>
      withRole(attributes, async ({ role, url, database }) => {
        await run(database, before(role, database.connection.database ?? ''))
        const ended = await start(url)
        assertClear(ended, said)
        const statements = statementsIn(ended.stderr)
        assert.equal(statements.length, told.length, ended.stderr)
        for (const [index, expected] of told.entries()) assert.match(statements[index] ?? '', expected)
        assert.doesNotMatch(ended.stderr, /Error executing/)
      }),
    )

  test('and what was told lets it start', () =>
    withRole('', async ({ role, url, database }) => {
      const { stderr } = await start(url)
      await run(database, statementsIn(stderr))
      const secret = `${role} has logins of its own`
      const started = await startMinaretProcess({ DATABASE_URL: url, MINARET_SECRET: secret, DEMO_DATA: 'off' })
      assert.equal(await started.stop(), 0)
      for (const name of loginNames(secret)) await asAdmin(client => client.query(`drop role ${name}`))
    }))

  test('tables of another role', () =>
    withRole('createrole', async ({ role }) => {
      const migrated = await createTestDatabase()
      const other = urlOf({ ...migrated.connection, user: role, password: 'poor' })
      try {
        for (const command of [['serve'], ['migrate'], ['app', 'list']]) {
          const ended = await runMinaret(command, {
            DATABASE_URL: other,
            MINARET_SECRET: TEST_SECRET,
            DEMO_DATA: 'off',
          })
          assertClear(ended, /permission denied for schema minaret[\s\S]* bin\/minaret restore as "Poor-/)
        }
      } finally {
        await migrated.drop()
      }
    }))

  test('with workers too', () =>
    withRole('', async ({ url }) => {
      const settings = { DATABASE_URL: url, MINARET_SECRET: TEST_SECRET, DEMO_DATA: 'off', WORKERS: '2' }
      const ended = await runMinaret(['serve'], settings)
      assertClear(ended, /alter role "Poor-\w+" createrole;/)
      assert.doesNotMatch(ended.stderr, /takes its place/)
    }))
})

interface Waiting {
  readonly output: () => string
  until(expected: RegExp): Promise<void>
  stop(): Promise<number | null>
}

/** A whole process with an empty database, on a machine that is busy with everything else. */
const START_MS = 300_000

const startWaiting = (url: string): Waiting => {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      SANDBOX_PORT: '0',
      DEMO_DATA: 'off',
      DATABASE_URL: url,
      MINARET_SECRET: TEST_SECRET,
    },
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const ended = new Promise<number | null>(resolve => void child.once('exit', code => resolve(code)))
  return {
    output: () => output,
    until: expected =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${expected} in:\n${output}`)), START_MS)
        const look = (): void => {
          if (!expected.test(output)) return
          clearTimeout(timer)
          resolve()
        }
        look()
        child.stdout.on('data', look)
        child.stderr.on('data', look)
      }),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** To the database, which listens on a Unix socket only. */
const pipeBoth = (socket: Socket, path: string): void => {
  const up = connect(path)
  socket.pipe(up).pipe(socket)
  socket.on('error', () => up.destroy())
  up.on('error', () => socket.destroy())
}

describe('an unreachable database is waited for', () => {
  test('one that refuses connections, with one line for each attempt; then the start goes on', async () => {
    const database = await createTestDatabase()
    const real = new URL(database.url)
    const placeholder = createServer()
    const port = await listen(placeholder)
    await new Promise(resolve => placeholder.close(resolve))
    const url = `postgres://${real.username}:${real.password}@127.0.0.1:${port}${real.pathname}`
    const waiting = startWaiting(url)
    await waiting.until(/cannot be reached: .*ECONNREFUSED.*Trying again in 1 s/)
    // The database comes up: a relay to the real one, which listens on a Unix socket only.
    const path = `${real.searchParams.get('host')}/.s.PGSQL.${real.searchParams.get('port')}`
    const relay = createServer(socket => pipeBoth(socket, path))
    await new Promise<void>(resolve => void relay.listen(port, '127.0.0.1', resolve))
    try {
      await waiting.until(/Service\s+http/)
      const lines = waiting.output().match(/cannot be reached/g) ?? []
      assert.ok(lines.length >= 2 && lines.length < 20, waiting.output())
      assert.doesNotMatch(waiting.output(), /\n\s+at /)
    } finally {
      assert.equal(await waiting.stop(), 0, waiting.output())
      relay.close()
      await database.drop()
    }
  })

  test('so is one that is slow to answer when the service begins to listen', async () => {
    const database = await createTestDatabase()
    const real = new URL(database.url)
    const path = `${real.searchParams.get('host')}/.s.PGSQL.${real.searchParams.get('port')}`
    let connections = 0
    const relay = createServer(socket => {
      connections += 1
      socket.on('error', () => undefined)
      if (connections > 1) pipeBoth(socket, path)
    })
    const port = await listen(relay)
    const listener = await openListener({ ...database.connection, host: '127.0.0.1', port }, createLogger('silent'))
    assert.ok(listener.connected && connections > 1)
    await listener.close()
    relay.close()
    await database.drop()
  })

  test('one that accepts connections and says nothing; SIGTERM ends the wait', async () => {
    const silent = createServer(() => undefined)
    const port = await listen(silent)
    const waiting = startWaiting(`postgres://minaret:x@127.0.0.1:${port}/minaret`)
    try {
      await waiting.until(/minaret on 127\.0\.0\.1:\d+ cannot be reached: .*Trying again/)
      const watch = startWatch()
      assert.equal(await waiting.stop(), 1, waiting.output())
      assert.ok(watch() < 5000)
      assert.match(waiting.output(), /Stopped while waiting for the database\.\n$/)
    } finally {
      silent.close()
    }
  })
})
