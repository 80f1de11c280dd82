// node test/upgrades/make-dump.ts COMMIT NAME → NAME.sql.gz and NAME.json: a small database as an earlier version left it, made by
// that version itself on the oldest PostgreSQL, with a person, an app and a masjid. Run it for each release, and commit both files.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Connection } from '../../src/db/connection.ts'
import { withClient } from '../../src/db/with-client.ts'
import { PROGRAMS_15, startFreshCluster15 } from '../support/cluster-15.ts'
import { urlOf } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { temporaryFolder } from '../support/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [commit = '', name = ''] = process.argv.slice(2)

/** The source of the commit, with the packages of today. */
const checkOut = (folder: string): string => {
  const place = join(folder, 'earlier')
  mkdirSync(place)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', place], { input: archive })
  symlinkSync(`${root}node_modules`, join(place, 'node_modules'))
  return join(place, 'src/main.ts')
}

const environmentFor = (url: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATABASE_URL: url,
  MINARET_SECRET: TEST_SECRET,
  DEMO_DATA: 'off',
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'error',
})

/** Once: what only a service makes, such as signing keys and rights, is then there too. */
const serveOnce = (main: string, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, 'serve'], { env: environmentFor(url), stdio: ['ignore', 'pipe', 2] })
    child.stdout?.on('data', chunk => void (/Stop with/.test(String(chunk)) && child.kill('SIGINT')))
    child.once('exit', status => (status === 0 ? resolve() : reject(new Error(`serve ended with ${status}`))))
  })

const fill = async (connection: Connection): Promise<void> =>
  withClient(connection, async client => {
    await client.query(`
      insert into up_masjids (id, slug, name, address, city, state, country, latitude, longitude, timezone)
      values ('00000000-0000-4000-8000-000000000001', 'larkspur', 'Larkspur Lane Masjid', '1 Larkspur Lane', 'Raleigh', 'NC', 'US',
        35.775, -78.6336, 'America/New_York')`)
    await client.query(`
      insert into ua_members (masjid_id, given_name, family_name, email)
      values ('00000000-0000-4000-8000-000000000001', 'Amina', 'Example', 'amina@example.org')`)
  })

/** What a service calculates again is left out, and lines for psql alone. */
const dump = ({ host, port, user, password, database }: Connection): string => {
  const without = ['sandbox.*', 'public.pc_calculated_times*', 'changes.*'].map(
    table => `--exclude-table-data=${table}`,
  )
  const args = [
    '--no-owner',
    '--inserts',
    ...without,
    `--host=${host}`,
    `--port=${port}`,
    `--username=${user}`,
    String(database),
  ]
  const environment = { PATH: process.env.PATH, PGPASSWORD: String(password) }
  const options = { encoding: 'utf8', env: environment, maxBuffer: 1024 * 1024 * 1024 } as const
  return execFileSync(join(PROGRAMS_15, 'pg_dump'), args, options)
    .split('\n')
    .filter(line => !line.startsWith('\\') && !line.startsWith('--'))
    .join('\n')
}

const folder = temporaryFolder()
const cluster = await startFreshCluster15()
try {
  const main = checkOut(folder.path)
  const url = urlOf(cluster.connection)
  const run = (...words: string[]): Record<string, string> =>
    JSON.parse(
      execFileSync(process.execPath, [main, ...words, '--json'], { env: environmentFor(url), encoding: 'utf8' }),
    )
  await serveOnce(main, url)
  await fill(cluster.connection)
  run('user', 'create', '--email', 'owner@example.org', '--name', 'Owner')
  const about = ['--owner', 'owner@example.org', '--name', 'Board', '--description', 'A board.']
  const app = run(
    'app',
    'create',
    ...about,
    '--kind',
    'confidential',
    '--scope',
    'masjid:read members:read',
    '--approve',
  )
  const { key } = run('key', 'create', '--client-id', String(app.client_id), '--scope', 'masjid:read members:read')
  const facts = { commit, clientId: app.client_id, clientSecret: app.client_secret, key }
  writeFileSync(`${root}test/upgrades/${name}.sql.gz`, gzipSync(dump(cluster.connection), { level: 9 }))
  writeFileSync(`${root}test/upgrades/${name}.json`, `${JSON.stringify(facts, undefined, 2)}\n`)
} finally {
  await cluster.stop()
  folder.remove()
}
