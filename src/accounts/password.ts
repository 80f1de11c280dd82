// A password ↔ its argon2id hash as a PHC string, computed off the main thread.
import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairTurns } from '../base/fair-turns.ts'
import { equalBytes } from '../base/secrets.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

interface Hash {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly tag: Buffer
}

const argon2Async = promisify(argon2)

/** The thread pool has four threads and also signs tokens: many concurrent sign-ins must leave some free. */
const turns = createFairTurns({ atOnce: 2, atOnceEach: 2, mostWaiting: 400, mostWaitingEach: 100, mostMs: 45_000 })

/** A password that somebody typed. */
export interface TypedPassword {
  readonly password: string
  /** Whose turn it takes: the network address that sent it, or the id of the person who is signed in. */
  readonly turnOf: string
}

const derive = (
  { password, turnOf }: TypedPassword,
  { memory, passes, parallelism, salt }: Omit<Hash, 'tag'>,
  tagLength: number,
) =>
  turns.run(turnOf, () =>
    argon2Async('argon2id', {
      // The same password typed on two keyboards can differ in bytes; NFC makes them equal.
      message: password.normalize('NFC'),
      nonce: salt,
      memory,
      passes,
      parallelism,
      tagLength,
    }),
  )

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** @throws {Fault} `too-many-waiting`, `unavailable` */
export const hashPassword = async (typed: TypedPassword): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derive(typed, { ...current, salt }, TAG_BYTES)
  const { memory, passes, parallelism } = current
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{16,})$/

const parseHash = (text: string): Hash | undefined => {
  const match = phc.exec(text)
  if (match === null) return undefined
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** A hash with today's settings of a password nobody has, to compare unknown users with. */
const nobody: Hash = { ...current, salt: Buffer.alloc(SALT_BYTES, 7), tag: Buffer.alloc(TAG_BYTES) }

/**
 * Does the same work, and so takes the same time, if there is no hash to compare with.
 * @throws {Fault} `too-many-waiting`, `unavailable`
 */
export const verifyPassword = async (hash: string | undefined, typed: TypedPassword): Promise<boolean> => {
  const parsed = hash === undefined ? undefined : parseHash(hash)
  const against = parsed ?? nobody
  const tag = await derive(typed, against, against.tag.length)
  return equalBytes(tag, against.tag) && parsed !== undefined
}

/** Whether the settings have become stricter since the hash was made. */
export const isOutdated = (hash: string): boolean => {
  const parsed = parseHash(hash)
  return parsed === undefined || parsed.memory < current.memory || parsed.passes < current.passes
}
