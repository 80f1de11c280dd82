// A folder with a backup → an empty database filled with it, all or nothing.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Connection } from '../connection.ts'
import { StartFault } from '../embedded/start-fault.ts'
import { ensureGroups } from '../ensure-groups.ts'
import { knownMigrations } from '../missing-migrations.ts'
import { withClient } from '../with-client.ts'
import { decryptWith } from './encryption.ts'
import { DUMP_FILE, fingerprintOf, type Manifest, readManifest } from './manifest.ts'
import { findProgram, runProgram } from './programs.ts'

export interface RestoreInput {
  readonly connection: Connection
  readonly secret: string
  readonly folder: string
  readonly passphrase: string | undefined
}

const checkManifest = ({ secretFingerprint, migrations, encryption }: Manifest, input: RestoreInput): void => {
  if (secretFingerprint !== fingerprintOf(input.secret))
    throw new StartFault(
      'The backup belongs to another MINARET_SECRET: its signing keys could not be decrypted, and every token would be void. Set MINARET_SECRET to the one it was made with.',
    )
  const known = new Set([...knownMigrations('identity'), ...knownMigrations('data')])
  if (Object.values(migrations).some(names => names.some(name => !known.has(name))))
    throw new StartFault('The backup was made by a later version of Minaret. Restore it with that version.')
  if (encryption !== undefined && input.passphrase === undefined)
    throw new StartFault('The backup is encrypted. Name the file with its passphrase: --passphrase-file FILE.')
}

/** Before anything is written: the whole file is there, unchanged, and the passphrase fits. */
const checkDump = async (
  file: string,
  { sha256, encryption }: Manifest,
  passphrase: string | undefined,
): Promise<void> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== sha256) throw new StartFault(`${file} is incomplete or was changed: its SHA-256 differs.`)
  if (encryption === undefined) return
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(createReadStream(file), decryptWith(passphrase as string, encryption), nowhere).catch(error => {
    throw new StartFault('The passphrase is not the one that the backup was encrypted with.', error)
  })
}

/** @returns the server's major version. */
const prepareDatabase = (connection: Connection): Promise<number> =>
  withClient({ ...connection, connectionTimeoutMillis: 10_000 }, async client => {
    const { rows } = await client.query(
      "select to_regnamespace('minaret') is null as empty, current_setting('server_version_num')::int / 10000 as major",
    )
    if (!rows[0].empty)
      throw new StartFault('The database has a schema "minaret" already. Restore into an empty database.')
    await ensureGroups(client)
    return rows[0].major
  })

const fill = async (input: RestoreInput, { encryption }: Manifest, server: number): Promise<void> => {
  const args = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${databaseOf(input.connection)}`]
  const { child, ended } = runProgram(findProgram('pg_restore', server), args, input.connection)
  const file = createReadStream(join(input.folder, DUMP_FILE))
  const into = child.stdin as NodeJS.WritableStream
  const flowing =
    encryption === undefined
      ? pipeline(file, into)
      : pipeline(file, decryptWith(input.passphrase as string, encryption), into)
  await ended
  await flowing
}

const databaseOf = ({ database, connectionString }: Connection): string =>
  database ?? decodeURIComponent(new URL(connectionString as string).pathname.slice(1))

/** @throws {StartFault} and changes nothing, if the backup does not fit this secret, version or database. */
export const restore = async (input: RestoreInput): Promise<Manifest> => {
  const manifest = readManifest(input.folder)
  checkManifest(manifest, input)
  await checkDump(join(input.folder, DUMP_FILE), manifest, input.passphrase)
  await fill(input, manifest, await prepareDatabase(input.connection))
  return manifest
}
