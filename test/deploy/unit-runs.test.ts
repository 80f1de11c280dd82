// What deploy/minaret.service starts really starts, serves and stops: as an unprivileged user, with nothing to write to but its cache.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { withClient } from '../../src/db/with-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { within } from '../support/oauth.ts'
import { temporaryFolder } from '../support/process.ts'
import { noNamespaces, runAsUnit, startAsUnit } from './as-unit.ts'
import { readDeployed, root } from './settings.ts'

const unit = readDeployed('minaret.service')
const values = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => String(value))

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

/** Only its own account and root reach the socket of the tests' PostgreSQL. */
const relayTo = async ({ connection }: TestDatabase): Promise<{ url: string; server: Server }> => {
  const path = `${connection.host}/.s.PGSQL.${connection.port}`
  const server = createServer(socket => {
    const there = createConnection(path)
    for (const one of [socket, there]) one.on('error', () => void [socket, there].map(end => end.destroy()))
    socket.pipe(there).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { user, password, database } = connection
  const { port } = server.address() as AddressInfo
  return { url: `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${database}`, server }
}

/** As systemd would leave them: `%d`. */
const credentialsIn = (folder: string, contents: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(join(folder, name), `${content}\n`)
    chmodSync(join(folder, name), 0o644)
  }
}

const environmentIn = (folder: string): Record<string, string> =>
  Object.fromEntries(values('Environment').map(pair => pair.replace('%d', folder).split('=') as [string, string]))

test('the unit’s command serves, goes on at SIGHUP, and stops at SIGTERM', { skip: noNamespaces }, async () => {
  const database = await createTestDatabase()
  const relay = await relayTo(database)
  const { path, remove } = temporaryFolder()
  const [port, sandboxPort] = [await freePort(), await freePort()]
  credentialsIn(path, {
    secret: 'q9Zr4Tn1vKf8Wm2Xc7Bd5Hy3Lj6Gp0AsUeIoNw',
    'database-url': relay.url,
    'smtp-url': 'smtps://user:password@127.0.0.1:1',
  })
  const settings = {
    BASE_URL: 'https://id.example.org',
    SANDBOX_URL: 'https://sandbox.example.org',
    MAIL_FROM: 'a@example.org',
  }
  const child = startAsUnit({
    words: String(values('ExecStart')[0]).split(' '),
    environment: { ...environmentIn(path), ...settings, PORT: port, SANDBOX_PORT: sandboxPort, DRAIN_SECONDS: '0' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const exited = once(child, 'exit')
  try {
    // It bundles the program and makes all tables first, which takes minutes on a busy machine.
    await within(300_000, 'it is ready', async () => {
      assert.equal(child.exitCode, null, output)
      return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
    })
    // In the folder of its cache, as the project cannot be written.
    assert.match(output, /^Bundling the program/m)
    assert.equal(output.match(/bundl/gi)?.length, 1, output)
    child.kill('SIGHUP')
    await within(10_000, 'it says that nothing is reloaded', () => output.includes('SIGHUP changes nothing'))
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null], output)
  } finally {
    child.kill('SIGKILL')
    remove()
    relay.server.close()
    await database.drop()
  }
})

const createAdmin = ['user', 'create', '--email', 'first@example.org', '--name', 'First', '--admin']

test('without the service’s settings no command makes a database of its own', { skip: noNamespaces }, () => {
  const { path, remove } = temporaryFolder()
  try {
    // Installed from an archive, as far as it can see.
    const covered = ['.git', '.minaret'].filter(file => existsSync(`${root}${file}`)).map(file => ({ file, by: path }))
    for (const user of [65534, 0])
      for (const words of [createAdmin, ['doctor']]) {
        const started = ['node_modules/.bin/node', 'src/main.ts', ...words]
        const { status, stderr } = runAsUnit({ words: started, environment: {}, covered, user })
        assert.equal(status, 1)
        assert.match(
          stderr,
          /^Neither DATABASE_URL nor DATA_DIR is set, .*\/opt\/minaret\/bin\/minaret-service as root/,
        )
      }
  } finally {
    remove()
  }
})

test('bin/minaret-service runs a command with the settings and credentials of the unit, from any folder', async () => {
  const database = await createTestDatabase()
  const { path, remove } = temporaryFolder()
  try {
    credentialsIn(path, {
      secret: 'q9Zr4Tn1vKf8Wm2Xc7Bd5Hy3Lj6Gp0AsUeIoNw',
      'database-url': database.url,
      'smtp-url': 'smtps://user:password@127.0.0.1:1',
      'minaret.env': '# Settings\nBASE_URL=https://id.example.org\nMAIL_FROM=Minaret <no-reply@example.org>',
    })
    const file = join(path, 'minaret.service')
    writeFileSync(file, unit.replaceAll('/etc/minaret/', `${path}/`))
    const run = (...words: string[]) =>
      spawnSync(`${root}bin/minaret-service`, words, { cwd: '/', env: { MINARET_UNIT: file }, encoding: 'utf8' })
    const { status, stdout, stderr } = run(...createAdmin)
    assert.equal(status, 0, stderr)
    assert.match(
      stdout,
      /First <first@example\.org>, administrator[\s\S]*https:\/\/id\.example\.org\/reset-password\?token=/,
    )
    const { rows } = await withClient(database.connection, client => client.query('select email from minaret.users'))
    assert.deepEqual(rows, [{ email: 'first@example.org' }])
    const missing = spawnSync(`${root}bin/minaret-service`, ['doctor'], {
      env: { MINARET_UNIT: '/nowhere' },
      encoding: 'utf8',
    })
    assert.equal(missing.status, 1)
    assert.match(missing.stderr, /\/nowhere cannot be read \(ENOENT\)\. Run this as root/)
  } finally {
    remove()
    await database.drop()
  }
})

/** As after `npm install`, which leaves no stamp of ours. */
const stamp = { file: 'node_modules/.minaret-installed', by: '/dev/null' }
const version = ['bin/minaret', '--version']
const environment = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' }

test('what root has installed by npm is enough for the command line', { skip: noNamespaces }, () => {
  for (const NODE_ENV of ['production', 'development']) {
    const { status, stdout, stderr } = runAsUnit({
      words: version,
      environment: { ...environment, NODE_ENV },
      covered: [stamp],
    })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^minaret \d/)
  }
})

test('nothing is installed in production, or by who may not: it says what to run', { skip: noNamespaces }, () => {
  const { path, remove } = temporaryFolder()
  try {
    const earlier = join(path, 'earlier.json')
    writeFileSync(earlier, '{"packages":{}}')
    chmodSync(earlier, 0o644)
    const covered = [stamp, { file: 'node_modules/.package-lock.json', by: earlier }]
    for (const [user, NODE_ENV] of [
      [65534, 'production'],
      [65534, 'development'],
      [0, 'production'],
    ] as const) {
      const { status, stderr } = runAsUnit({ words: version, environment: { ...environment, NODE_ENV }, covered, user })
      assert.equal(status, 1)
      assert.match(
        stderr,
        /packages of this version are not installed, and .*\n.*cd \/opt\/minaret\/ && npm install --no-save/,
      )
      assert.doesNotMatch(stderr, /registry|EPERM|EROFS/)
    }
  } finally {
    remove()
  }
})
