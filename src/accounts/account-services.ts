// The dependencies of account operations: the database, our base URL, limits, and a way to send mail.
import { type Clock, systemClock } from '../base/clock.ts'
import type { Counting } from '../base/limit.ts'
import { deriveSecrets, type SealingSecrets, type Secrets } from '../base/secrets.ts'
import type { ProviderSettings } from '../config/provider-settings.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type CodeLimit, createCodeLimit } from './factors/limit-codes.ts'
import { SECOND_FACTORS_PURPOSE } from './factors/sealing.ts'
import { type AccountLimits, createAccountLimits } from './limits.ts'
import { type MailKind, writeMail } from './mail-texts.ts'
import { enqueueMail } from './outbox.ts'
import { type Challenges, createChallenges } from './passkeys/challenges.ts'
import { type RelyingParty, relyingPartyOf } from './passkeys/relying-party.ts'
import { createProviders, type Providers } from './providers/providers.ts'
import type { User } from './users.ts'

export interface AccountServices {
  readonly database: Database
  readonly baseUrl: string
  readonly limits: AccountLimits
  /** Between the wish to erase an account and doing so. */
  readonly erasureDays: number
  readonly factors: {
    /** Seals the keys of authenticator apps. */
    readonly secret: SealingSecrets
    readonly limit: CodeLimit
    readonly clock: Clock
  }
  readonly passkeys: {
    /** Undefined where passkeys cannot be used: at an IP address. */
    readonly party: RelyingParty | undefined
    readonly challenges: Challenges
  }
  /** Other OpenID providers that people can sign in with. */
  readonly providers: Providers
}

interface ServiceParts extends Pick<AccountServices, 'database' | 'baseUrl' | 'erasureDays'> {
  readonly secrets: Secrets
  readonly providers: readonly ProviderSettings[]
}

export const createAccountServices = (
  { database, baseUrl, erasureDays, secrets, providers: settings }: ServiceParts,
  counting: Counting | undefined,
): AccountServices => {
  const sealing = deriveSecrets(secrets, SECOND_FACTORS_PURPOSE)
  const limit = createCodeLimit(database, sealing[0], counting !== undefined)
  const factors = { secret: sealing, limit, clock: systemClock }
  const passkeys = { party: relyingPartyOf(baseUrl), challenges: createChallenges(sealing[0]) }
  const providers = createProviders({ settings, baseUrl, secret: secrets[0] })
  return { database, baseUrl, erasureDays, limits: createAccountLimits(counting), factors, passkeys, providers }
}

export interface Letter {
  /** An unconfirmed address may be a stranger's, so nothing typed along with it is sent there. */
  readonly user: Pick<User, 'email' | 'name' | 'language' | 'emailVerified'>
  /** Path and query of a link to this service. */
  readonly path: string
  /** Another email address that the mail mentions. */
  readonly email?: string
  /** A day that the mail mentions. */
  readonly date?: string
  /** What another provider is called. */
  readonly provider?: string
}

export const sendLetter = (
  transaction: Queryable,
  services: Pick<AccountServices, 'baseUrl'>,
  kind: MailKind,
  { user, path, email, date, provider }: Letter,
): Promise<void> => {
  const name = user.emailVerified ? user.name : undefined
  const values = { to: user.email, name, email, date, provider, link: `${services.baseUrl}${path}` }
  return enqueueMail(transaction, writeMail(user.language, kind, values))
}
