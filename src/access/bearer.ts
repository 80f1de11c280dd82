// The Authorization header → the bearer credential in it.
import { missingToken } from './faults.ts'

const shape = /^bearer +([\w.~+/-]+=*) *$/i

const USUAL = 'Bearer '

/** As nearly everybody writes it, and without a look at its letters: good for finding what is known already, and nothing else. */
export const likelyBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(USUAL) === true ? authorization.slice(USUAL.length) : undefined

/** @throws {Fault} `missing_token` where there is none. */
export const bearerOf = (authorization: string | undefined): string => {
  const credential = authorization === undefined ? undefined : shape.exec(authorization)?.[1]
  if (credential === undefined) throw missingToken()
  return credential
}
