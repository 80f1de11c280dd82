// What a backup says about itself, beside its dump: enough to refuse a restore that would not work.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSecret } from '../../base/secrets.ts'
import { StartFault } from '../embedded/start-fault.ts'
import type { Encryption } from './encryption.ts'

export interface Manifest {
  readonly format: 1
  readonly createdAt: string
  /** The major version of PostgreSQL that was dumped. */
  readonly postgresql: number
  /** Migrations that had run, by the table that records them. */
  readonly migrations: Readonly<Record<string, readonly string[]>>
  /** Roles that the dump grants rights to. They belong to the cluster, so a dump does not contain them. */
  readonly roles: readonly string[]
  /** Tells whether a secret is the right one, and nothing else about it. */
  readonly secretFingerprint: string
  readonly sha256: string
  readonly encryption: Encryption | undefined
}

const FILE = 'minaret.json'
export const DUMP_FILE = 'database.dump'

export const fingerprintOf = (secret: string): string =>
  deriveSecret(secret, 'fingerprint').toString('hex').slice(0, 16)

export const writeManifest = (folder: string, manifest: Manifest): void =>
  writeFileSync(join(folder, FILE), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })

/** @throws {StartFault} if the folder has no backup, or one of a later version. */
export const readManifest = (folder: string): Manifest => {
  let text: string
  try {
    text = readFileSync(join(folder, FILE), 'utf8')
  } catch (error) {
    throw new StartFault(`There is no backup in ${folder}: it has no ${FILE}.`, error)
  }
  try {
    const manifest = JSON.parse(text) as Manifest
    if (manifest.format === 1) return manifest
  } catch (error) {
    throw new StartFault(`${join(folder, FILE)} cannot be read: it is not JSON.`, error)
  }
  throw new StartFault(`The backup in ${folder} was made by a later version of Minaret. Restore it with that version.`)
}
