// A bearer credential → its grant, if the credential is known, valid and not revoked.
import { decodeJwt } from 'jose'
import { type Clock, epochSeconds } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { deriveSecret } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { type AccessTokens, createAccessTokens, type VerifiedToken, type VerifyKeys } from './access-tokens.ts'
import { type KeyEnvironment, looksLikeApiKey, parseApiKey } from './api-key-format.ts'
import { findKey, type KnownKey } from './api-keys.ts'
import { type AppReach, findAppReach } from './app-reach.ts'
import { type CheckProof, createCheckProof } from './dpop/check-proof.ts'
import { createNonces } from './dpop/nonces.ts'
import { checkPossession, type Possession } from './dpop/possession.ts'
import { invalidToken, isInvalidToken } from './faults.ts'
import type { Grant } from './grant.ts'
import { createLastUsed, type LastUsed } from './last-used.ts'
import { createRemembered } from './remembered.ts'
import { audienceOf, MCP_PATH } from './resources.ts'
import { type Credential, createRevocations, type Revocations } from './revocations.ts'
import { createScreenTokens, type ScreenToken } from './screen-tokens.ts'
import { tokenGrant } from './token-grant.ts'
import { createUseOnce } from './used-ids.ts'

export interface AccessInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly clock: Clock
  readonly issuer: string
  /** The audience of development clients' tokens. */
  readonly sandboxUrl: string
  readonly verifyKeys: VerifyKeys
  /** The installation's secret. */
  readonly secret: string
}

export interface Access {
  /**
   * The grant of a credential. `live` is the service, `test` the sandbox, which accepts test keys and tokens of development clients.
   * @throws {Fault} with status 401 if it is malformed, unknown, expired or revoked, or lacks the proof of its key.
   */
  authenticate(credential: string, environment?: KeyEnvironment, possession?: Possession): Promise<Grant>
  /** As `authenticate`, for endpoints that are about the token itself or its person: it may be one for the sandbox. */
  authenticateAnywhere(credential: string, possession?: Possession): Promise<Grant>
  /**
   * As `authenticateAnywhere`, of a token that is asked about and not used; undefined if it is not valid. That nobody
   * can say so now is thrown.
   */
  authenticateIfValid(credential: string): Promise<Grant | undefined>
  /**
   * The token of a screen, which nothing else accepts.
   * @throws {Fault} `invalid_token`.
   */
  authenticateScreen(bearer: string): Promise<ScreenToken>
  /**
   * The grant of an access token for the resource of assistants, which opens nothing else.
   * @throws {Fault} `invalid_token`; for an API key too, as keys are for the service as a whole.
   */
  authenticateMcp(credential: string, possession?: Possession): Promise<Grant>
  /** The grant of such a token that is in the cache and still valid. */
  recogniseMcp(bearer: string): Grant | undefined
  /** The grant of a live credential that is in the cache and still valid; if undefined, call `authenticate`. */
  recognise(bearer: string): Grant | undefined
  /** What an approved app may access now; undefined for any other app. */
  findApp(clientId: string): Promise<AppReach | undefined>
  /** Of a DPoP proof. */
  readonly checkProof: CheckProof
  readonly revocations: Revocations
  readonly lastUsed: LastUsed
  close(): Promise<void>
}

const REMEMBERED = 10_000

interface TokenEntry {
  readonly app: AppReach
  readonly grant: Grant
  readonly credential: Credential
}

const toEntry = (token: VerifiedToken, app: AppReach): Pick<TokenEntry, 'grant' | 'credential'> => ({
  grant: tokenGrant(token, app),
  credential: { ...token, appId: app.appId, keyId: undefined },
})

const LIVE_TOKEN_IN_SANDBOX =
  'This credential is for live data. The sandbox accepts a test key (mk_test_…), a token of a development client, or none.'
const SANDBOX_TOKEN_AT_LIVE =
  'This token is not for this endpoint. Tokens of a development client work in the sandbox, not with live data.'

const wrongPlace = (environment: KeyEnvironment): Error =>
  environment === 'live'
    ? invalidToken('This is a test key: it works in the sandbox, not with live data.')
    : invalidToken(LIVE_TOKEN_IN_SANDBOX)

/** Unverified: only good for choosing how to verify it. */
const unverifiedAudience = (token: string): unknown => {
  try {
    return decodeJwt(token).aud
  } catch {
    return undefined
  }
}

const isProof = (possession: Possession): boolean => typeof possession === 'object'

/** Undefined for a credential that is not valid. */
export const ifValid = <T>(authenticated: Promise<T>): Promise<T | undefined> =>
  authenticated.catch(error => {
    if (isInvalidToken(error)) return undefined
    throw error
  })

export const createAccess = async (input: AccessInput): Promise<Access> => {
  const { database, listener, clock, log } = input
  const nonces = createNonces(deriveSecret(input.secret, 'dpop nonces'), clock)
  const checkProof = createCheckProof({ nonces, useOnce: createUseOnce(database), clock })
  const revocations = await createRevocations({ database, listener, log })
  const lastUsed = createLastUsed({ database, clock, log })
  const mcpTokens = createAccessTokens({ ...input, audience: audienceOf(input.issuer, MCP_PATH) })
  const tokens = createAccessTokens({ ...input, wrongAudience: SANDBOX_TOKEN_AT_LIVE })
  const testTokens = createAccessTokens({
    ...input,
    audience: input.sandboxUrl,
    invalid: LIVE_TOKEN_IN_SANDBOX,
  })
  const keys = createRemembered<KnownKey>({ max: REMEMBERED, inTouch: revocations.inTouch })
  const apps = createRemembered<AppReach>({ max: REMEMBERED, inTouch: revocations.inTouch })

  const findApp = (clientId: string): Promise<AppReach | undefined> =>
    apps.get(clientId, () => findAppReach(database, clientId))
  const screens = createScreenTokens({ ...input, revocations, findApp })

  const forgetTokens = (): void => {
    tokens.forget()
    mcpTokens.forget()
    testTokens.forget()
    screens.forget()
  }
  const forgetApp = (id: string): void => {
    keys.forget(({ grant }) => grant.appId === id)
    apps.forget(({ appId }) => appId === id)
  }
  revocations.onRevocation(({ kind, subject }) => {
    if (kind === 'app') forgetApp(subject)
    if (kind === 'key') keys.forget(({ keyId }) => keyId === subject)
  })
  revocations.onReset(() => {
    keys.forget()
    apps.forget()
    forgetTokens()
  })
  await listener.on('minaret_apps', forgetApp)
  // When a signing key is removed, the tokens it signed are no longer valid.
  await listener.on('minaret_signing_keys', forgetTokens)

  const isExpired = ({ expiresAt }: Grant): boolean => expiresAt !== undefined && expiresAt <= epochSeconds(clock.now())

  const byKey = async (key: string, environment: KeyEnvironment): Promise<Grant> => {
    const parsed = parseApiKey(key)
    if (parsed === undefined) throw invalidToken('The API key is mistyped: its checksum does not match.')
    if (parsed !== environment) throw wrongPlace(environment)
    const known = await keys.get(key, () => findKey(database, key))
    if (known === undefined) throw invalidToken('The API key is unknown or was revoked.')
    if (isExpired(known.grant)) throw invalidToken('The API key has expired.')
    lastUsed.note('api_keys', known.keyId)
    return known.grant
  }

  const recogniseKey = (key: string): Grant | undefined => {
    const known = keys.known(key)
    if (known === undefined || known.grant.environment !== 'live' || isExpired(known.grant)) return undefined
    lastUsed.note('api_keys', known.keyId)
    return known.grant
  }

  /** Created once per token, and again when its app changes. */
  const grants = new WeakMap<VerifiedToken, TokenEntry>()

  const entryFor = (token: VerifiedToken, app: AppReach): TokenEntry => {
    const known = grants.get(token)
    if (known?.app === app) return known
    const entry = { app, ...toEntry(token, app) }
    grants.set(token, entry)
    return entry
  }

  const byToken = async (text: string, accepted: AccessTokens, possession: Possession): Promise<Grant> => {
    const token = await accepted.verify(text)
    const app = await findApp(token.clientId)
    if (app === undefined) throw invalidToken('The app of this token is not approved.')
    if (app.development !== (accepted === testTokens))
      throw invalidToken(app.development ? SANDBOX_TOKEN_AT_LIVE : LIVE_TOKEN_IN_SANDBOX)
    const { credential, grant } = entryFor(token, app)
    if (await revocations.isRevoked(credential)) throw invalidToken('The access token was revoked.')
    // Last: only whoever has a valid token can make the database note a proof.
    await checkPossession(checkProof, { token: text, thumbprint: token.thumbprint, possession })
    return grant
  }

  /** A token that is bound to a key needs a proof each time, so it is never recognised. */
  const recogniseToken = (text: string, accepted: AccessTokens = tokens): Grant | undefined => {
    const token = accepted.known(text)
    const app = token === undefined ? undefined : apps.known(token.clientId)
    if (token === undefined || token.thumbprint !== undefined) return undefined
    if (app === undefined || app.development) return undefined
    const { credential, grant } = entryFor(token, app)
    return revocations.isRevoked(credential) === false ? grant : undefined
  }

  const authenticate: Access['authenticate'] = async (text, environment = 'live', possession = 'bearer') => {
    if (!looksLikeApiKey(text)) return byToken(text, environment === 'live' ? tokens : testTokens, possession)
    if (isProof(possession)) throw invalidToken('An API key is not bound to a key: send it as a bearer token.')
    return byKey(text, environment)
  }

  const authenticateAnywhere: Access['authenticateAnywhere'] = async (text, possession) => {
    const elsewhere = tokens.known(text) === undefined && unverifiedAudience(text) === input.sandboxUrl
    return authenticate(text, elsewhere ? 'test' : 'live', possession)
  }

  const authenticateMcp: Access['authenticateMcp'] = async (text, possession = 'bearer') => {
    if (looksLikeApiKey(text))
      throw invalidToken('API keys do not work here. Ask for an access token with resource set to this address.')
    return byToken(text, mcpTokens, possession)
  }

  return {
    authenticate,
    authenticateMcp,
    recogniseMcp: bearer => recogniseToken(bearer, mcpTokens),
    authenticateAnywhere,
    authenticateIfValid: text => ifValid(authenticateAnywhere(text, 'not-asked')),
    authenticateScreen: screens.authenticate,
    recognise: bearer => (looksLikeApiKey(bearer) ? recogniseKey(bearer) : recogniseToken(bearer)),
    findApp,
    checkProof,
    revocations,
    lastUsed,
    close: async () => {
      revocations.close()
      await lastUsed.close()
    },
  }
}
