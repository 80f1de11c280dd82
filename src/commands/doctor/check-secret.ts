// The secret: whether it could be guessed, and whether it decrypts the signing keys in the database.
import { deriveSecret } from '../../base/secrets.ts'
import { openPrivateKey, SIGNING_KEYS_PURPOSE } from '../../oauth/signing-keys/seal.ts'
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
    'Replace it by the output of: openssl rand -base64 32, and rotate the signing keys.',
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
  const secret = deriveSecret(store.secret, SIGNING_KEYS_PURPOSE)
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

export const checkSecret: Check = {
  name: 'secret',
  look: async subject => [checkStrength(subject), await checkKeys(subject)],
}
