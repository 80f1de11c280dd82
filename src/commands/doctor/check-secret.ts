// The secret: whether it could be guessed, and whether it opens what is sealed in the database.
import { unseal } from '../../base/seal.ts'
import { deriveSecrets, type Secrets } from '../../base/secrets.ts'
import { toStatement } from '../../db/sql.ts'
import { openPrivateKey, SIGNING_KEYS_PURPOSE } from '../../oauth/signing-keys/seal.ts'
import { type SealedColumn, type SealedRow, sealedColumns, sealedRows } from '../secret/sealed-columns.ts'
import { type Finding, fault, ok, skipped, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const FEWEST_DIFFERENT = 12

/** Words where random letters should be. */
const looksWritten = /\s|change.?me|secret|password|example|minaret|qwert|12345/i

const strengthOf = (secret: string): string | undefined => {
  if (new Set(secret).size < FEWEST_DIFFERENT) return 'repeats a few characters'
  if (looksWritten.test(secret)) return 'looks like text that somebody wrote'
  return undefined
}

const checkStrength = ({ config, store }: Subject): Finding => {
  const weakness = strengthOf(store.secret)
  if (weakness === undefined) return ok('secret', 'MINARET_SECRET looks random.')
  const say = config.mode === 'production' ? fault : warning
  return say(
    'secret',
    `MINARET_SECRET ${weakness}: whoever guesses it can sign tokens.`,
    'Replace it by the output of: openssl rand -base64 32, in the steps of docs/operations.md, "Replacing the secret".',
  )
}

interface Sealed {
  readonly kid: string
  readonly sealed: Buffer
}

const checkKeys = async ({ client, store, isMigrated }: Subject): Promise<Finding> => {
  if (!isMigrated) return skipped('signing-keys', 'There are no signing keys before the first start.')
  const { rows } = await client.query<Sealed>(
    'select kid, private_key_sealed as sealed from minaret.signing_keys order by created_at desc',
  )
  if (rows.length === 0) return skipped('signing-keys', 'There are no signing keys before the first start.')
  const secret = deriveSecrets(store.secrets, SIGNING_KEYS_PURPOSE)
  try {
    for (const { kid, sealed } of rows) openPrivateKey(sealed, kid, secret)
  } catch {
    return fault(
      'signing-keys',
      'MINARET_SECRET does not decrypt the signing keys in the database: the service cannot start.',
      'Set MINARET_SECRET to the one that this database was first started with.',
    )
  }
  return ok('signing-keys', `MINARET_SECRET decrypts the ${rows.length} signing keys.`)
}

/** A few of each kind: whoever replaced the secret by hand lost all of them. */
const SAMPLE = 'limit 20'

const opens = (row: SealedRow, secrets: Secrets, purpose: string): boolean => {
  try {
    unseal(row.sealed, { name: row.name, secret: deriveSecrets(secrets, purpose) })
    return true
  } catch {
    return false
  }
}

/** Before an upgrade, what comes with it is missing. */
const columnsThere = async ({ client }: Subject): Promise<readonly SealedColumn[]> => {
  const { rows } = await client.query<{ name: string }>(
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'minaret'",
  )
  const names = new Set(rows.map(({ name }) => name))
  return sealedColumns.filter(({ table, column }) => names.has(`${table}.${column}`))
}

const checkSealed = async (subject: Subject): Promise<Finding> => {
  const { client, store, isMigrated } = subject
  if (!isMigrated) return skipped('sealed', 'Nothing is sealed before the first start.')
  const closed: SealedColumn[] = []
  const former: string[] = []
  for (const column of await columnsThere(subject)) {
    const { rows } = await client.query<SealedRow>(toStatement(sealedRows(column, SAMPLE)))
    const [secret] = store.secrets
    if (!rows.every(row => opens(row, store.secrets, column.purpose))) closed.push(column)
    else if (!rows.every(row => opens(row, [secret], column.purpose))) former.push(column.what)
  }
  // The signing keys have a check of their own.
  const others = closed.filter(({ purpose }) => purpose !== SIGNING_KEYS_PURPOSE)
  if (others.length > 0)
    return fault(
      'sealed',
      `MINARET_SECRET does not decrypt: ${others.map(({ what }) => what).join(', ')}.`,
      'Set MINARET_SECRET_PREVIOUS to the secret that these were made with, and run bin/minaret secret rotate.',
    )
  if (former.length > 0)
    return warning(
      'sealed',
      `Only MINARET_SECRET_PREVIOUS decrypts: ${former.join(', ')}.`,
      'When every process knows both secrets, run bin/minaret secret rotate.',
    )
  return store.secrets.length === 1
    ? ok('sealed', 'MINARET_SECRET decrypts what else is sealed in the database.')
    : warning(
        'sealed',
        'MINARET_SECRET decrypts everything, and MINARET_SECRET_PREVIOUS is set.',
        'Once the secret is replaced, remove MINARET_SECRET_PREVIOUS and restart the processes.',
      )
}

export const checkSecret: Check = {
  name: 'secret',
  look: async subject => [checkStrength(subject), await checkKeys(subject), await checkSealed(subject)],
}
