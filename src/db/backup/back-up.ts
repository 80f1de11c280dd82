// A database → a folder with its dump and a manifest.
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Connection } from '../connection.ts'
import { StartFault } from '../embedded/start-fault.ts'
import { withClient } from '../with-client.ts'
import { encryptWith } from './encryption.ts'
import { DUMP_FILE, fingerprintOf, type Manifest, writeManifest } from './manifest.ts'
import { findProgram, runProgram } from './programs.ts'

export interface BackUpInput {
  readonly connection: Connection
  readonly secret: string
  readonly folder: string
  readonly passphrase: string | undefined
}

const prepareFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new StartFault(`${folder} is not empty. Name a new folder.`)
}

const migrationTables = ['migrations_identity', 'migrations_public', 'migrations_sandbox'] as const

const readMigrations = async (client: pg.Client): Promise<Manifest['migrations']> => {
  const read = async (table: string): Promise<[string, string[]]> => {
    const { rows } = await client.query<{ name: string }>(`select name from minaret.${table} order by id`)
    return [table, rows.map(({ name }) => name)]
  }
  const all: [string, string[]][] = []
  for (const table of migrationTables) all.push(await read(table))
  return Object.fromEntries(all)
}

type Described = Pick<Manifest, 'postgresql' | 'migrations' | 'roles'>

const describe = (connection: Connection): Promise<Described> =>
  withClient({ ...connection, connectionTimeoutMillis: 10_000 }, async client => {
    const version = await client.query("select current_setting('server_version_num')::int / 10000 as major")
    const roles = await client.query(
      "select rolname from pg_roles where rolname ~ '^minaret_' and not rolcanlogin order by 1",
    )
    const migrations = await readMigrations(client)
    return { postgresql: version.rows[0].major, migrations, roles: roles.rows.map(({ rolname }) => rolname) }
  })

const hashing = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })

export const backUp = async ({ connection, secret, folder, passphrase }: BackUpInput): Promise<Manifest> => {
  const described = await describe(connection)
  const program = findProgram('pg_dump', described.postgresql)
  prepareFolder(folder)
  const { child, ended } = runProgram(
    program,
    // Transaction ids mean nothing in another cluster, so the rows of the change log stay here.
    ['--format=custom', '--no-owner', '--lock-wait-timeout=60000', '--exclude-table-data=changes.log*'],
    connection,
  )
  const hash = createHash('sha256')
  const encrypting = passphrase === undefined ? undefined : encryptWith(passphrase)
  const file = createWriteStream(join(folder, DUMP_FILE), { mode: 0o600 })
  const through = encrypting?.stream ?? new PassThrough()
  await Promise.all([ended, pipeline(child.stdout as NodeJS.ReadableStream, through, hashing(hash), file)])
  const manifest: Manifest = {
    format: 1,
    createdAt: new Date().toISOString(),
    ...described,
    secretFingerprint: fingerprintOf(secret),
    sha256: hash.digest('hex'),
    encryption: encrypting?.describe(),
  }
  writeManifest(folder, manifest)
  return manifest
}
