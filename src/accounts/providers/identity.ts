// Claims of another provider → who it says somebody is.

import type { ProviderSettings } from '../../config/provider-settings.ts'
import { checkEmail, checkName } from '../email-rules.ts'

type Claims = Readonly<Record<string, unknown>>

export interface Identity {
  readonly provider: ProviderSettings
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** The provider has checked that the address is the person's. */
  readonly emailVerified: boolean
  readonly name: string | undefined
  /** When the person last signed in there, if the provider says so; in seconds since 1970. */
  readonly authTime: number | undefined
}

/** Apple and Microsoft send texts and numbers where others send booleans. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

const nameOf = (claims: Claims): string | undefined => {
  const given = [textOf(claims.given_name), textOf(claims.family_name)].filter(part => part !== undefined).join(' ')
  return [textOf(claims.name), given].find(name => name !== undefined && checkName(name) === undefined)
}

export const toIdentity = (provider: ProviderSettings, claims: Claims): Identity => {
  const email = textOf(claims.email)
  const usable = email !== undefined && checkEmail(email) === undefined ? email : undefined
  return {
    provider,
    issuer: String(claims.iss),
    subject: String(claims.sub),
    email: usable,
    emailVerified: usable !== undefined && provider.verifiedBy.some(claim => isTrue(claims[claim])),
    name: nameOf(claims),
    authTime: typeof claims.auth_time === 'number' ? claims.auth_time : undefined,
  }
}
