// A passphrase → streams that encrypt and decrypt a dump (AES-256-GCM, key by scrypt).
import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  randomBytes,
  scryptSync,
} from 'node:crypto'

/** Everything but the passphrase. */
export interface Encryption {
  readonly salt: string
  readonly nonce: string
  readonly tag: string
}

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 })

export interface Encrypting {
  readonly stream: CipherGCM
  /** Once the stream has ended. */
  describe(): Encryption
}

export const encryptWith = (passphrase: string): Encrypting => {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const stream = createCipheriv('aes-256-gcm', keyOf(passphrase, salt), nonce)
  const describe = (): Encryption => ({
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: stream.getAuthTag().toString('base64'),
  })
  return { stream, describe }
}

/** The stream fails at its end if the passphrase is wrong or a byte was changed. */
export const decryptWith = (passphrase: string, { salt, nonce, tag }: Encryption): DecipherGCM =>
  createDecipheriv(
    'aes-256-gcm',
    keyOf(passphrase, Buffer.from(salt, 'base64')),
    Buffer.from(nonce, 'base64'),
  ).setAuthTag(Buffer.from(tag, 'base64'))
