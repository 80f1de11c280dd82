// The format of an API key: mk_live_ or mk_test_, 32 random base62 characters and a checksum of 6, checked without the database.
import { crc32 } from 'node:zlib'
import { randomBase62 } from '../base/secrets.ts'

export type KeyEnvironment = 'live' | 'test'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^mk_(live|test)_[0-9A-Za-z]{38}$/
const CHECKSUM_LENGTH = 6

/** 32 bits in base62, always 6 characters: secret scanners can tell a key from other text. */
const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let letters = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    letters = alphabet.charAt(rest % 62) + letters
    rest = Math.floor(rest / 62)
  }
  return letters
}

export const looksLikeApiKey = (text: string): boolean => text.startsWith('mk_')

export const createApiKey = (environment: KeyEnvironment): string => {
  const body = `mk_${environment}_${randomBase62(32)}`
  return body + checksumOf(body)
}

/** The environment of a well-formed key; undefined for a mistyped one, without asking the database. */
export const parseApiKey = (text: string): KeyEnvironment | undefined => {
  const environment = shape.exec(text)?.[1] as KeyEnvironment | undefined
  if (environment === undefined) return undefined
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? environment : undefined
}

/** The part of a key that is stored for people to recognise it by. */
export const keyHint = (key: string): string => `${key.slice(0, 8)}…${key.slice(-4)}`
