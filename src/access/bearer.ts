// The Authorization header → the bearer credential in it.
import { missingToken } from './faults.ts'

const shape = /^bearer +([\w.~+/-]+=*) *$/i

export const bearerIn = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : shape.exec(authorization)?.[1]

/** @throws {Fault} `missing_token` where there is none. */
export const bearerOf = (authorization: string | undefined): string => {
  const credential = bearerIn(authorization)
  if (credential === undefined) throw missingToken()
  return credential
}
