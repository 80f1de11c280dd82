// A request for a feed → its scopes: from the credential in the header or, for calendars that send none, in the URL.
import type { FastifyRequest } from 'fastify'
import { looksLikeApiKey } from '../../access/api-key-format.ts'
import { credentialOf } from '../../access/bearer.ts'
import type { Access } from '../../access/create-access.ts'
import { insufficientScope } from '../../access/faults.ts'
import type { Grant } from '../../access/grant.ts'
import type { KeyLimits } from '../../access/key-limits.ts'
import { publicScopes, type Scope } from '../../access/scopes.ts'
import { Fault } from '../../base/fault.ts'
import { chargingRefusal } from '../../http/charges/charge-addresses.ts'

export type Environment = 'live' | 'test'

const keyInAddress = (): Fault =>
  new Fault({
    code: 'key_in_address',
    status: 403,
    message: `In the address, only an API key (mk_…) with no scopes besides ${publicScopes.join(', ')} is accepted. Create one for your calendar, or send the credential in the header "Authorization: Bearer …".`,
  })

/** URLs end up in histories, logs and shared calendars, so a credential in one may only give access to public data. */
const byAddress = async (access: Access, key: string, environment: Environment): Promise<Grant> => {
  if (!looksLikeApiKey(key)) throw keyInAddress()
  const grant = await access.authenticate(key, environment)
  if ([...grant.scopes].some(scope => !publicScopes.includes(scope))) throw keyInAddress()
  return grant
}

export interface FeedAccess {
  readonly access: Access
  readonly keyLimits: KeyLimits
  /** Of this listener. */
  readonly baseUrl: string
}

type AskedFeed = FastifyRequest<{ Querystring: { key?: string } }>

/** Undefined in the sandbox, where no credential is needed. */
const grantOf = async (
  request: AskedFeed,
  { access, baseUrl }: FeedAccess,
  environment: Environment,
): Promise<Grant | undefined> => {
  const { authorization } = request.headers
  const { key } = request.query
  if (authorization === undefined && typeof key === 'string') return byAddress(access, key, environment)
  if (authorization === undefined && environment === 'test') return undefined
  const { text, possession } = credentialOf(request, baseUrl)
  return access.authenticate(text, environment, possession)
}

export interface FeedVisitor {
  /** What may be read. In the sandbox, everyone has the public scopes. */
  readonly scopes: ReadonlySet<Scope>
  /** Undefined in the sandbox, where everyone shares the public test key. */
  readonly appId: string | undefined
}

export const visitorOf = async (
  request: AskedFeed,
  parts: FeedAccess,
  environment: Environment,
): Promise<FeedVisitor> => {
  const grant = await chargingRefusal(request, grantOf(request, parts, environment))
  if (grant === undefined) request.chargeStranger()
  else parts.keyLimits.take(grant)
  return {
    scopes: grant?.scopes ?? new Set(publicScopes),
    appId: environment === 'live' ? grant?.appId : undefined,
  }
}

/** @throws {Fault} `insufficient_scope`, which names the scope. */
export const requireScope = (scopes: ReadonlySet<Scope>, scope: Scope): void => {
  if (!scopes.has(scope)) throw insufficientScope(scope, `This feed needs the scope ${scope}.`)
}
