// The Authorization header → the bearer credential in it.
import { missingToken } from './faults.ts'

const shape = /^bearer +([\w.~+/-]+=*) *$/i

const USUAL = 'Bearer '

/** Expects the usual spelling and does not validate the characters: only good for looking up a known credential. */
export const likelyBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(USUAL) === true ? authorization.slice(USUAL.length) : undefined

/** @throws {Fault} `missing_token` if there is none. */
export const bearerOf = (authorization: string | undefined): string => {
  const credential = authorization === undefined ? undefined : shape.exec(authorization)?.[1]
  if (credential === undefined) throw missingToken()
  return credential
}
