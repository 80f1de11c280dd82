// The device authorization endpoint (RFC 8628 section 3.1): an app's device asks → the code it polls with, and the one it shows.
import { networkOf } from '../../base/ip-address.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { claimsAsked } from '../authorize/authorization-request.ts'
import type { AuthorizeParts } from '../authorize/authorize-parts.ts'
import { checkResource } from '../authorize/check-resource.ts'
import { checkScope } from '../authorize/check-scope.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import type { Client } from '../clients/client.ts'
import { readClientCredentials } from '../clients/client-credentials.ts'
import { DEVICE_CODE_SECONDS, DEVICE_INTERVAL_SECONDS } from '../lifetimes.ts'
import { countingRefusals } from '../limits.ts'
import { invalidTarget } from '../oauth-fault.ts'
import { resourcesOf, singleValues } from '../parameters.ts'
import type { FormPost } from '../token.ts'
import { requireDeviceFlow } from './require-device-flow.ts'
import { newUserCode, showUserCode } from './user-code.ts'

/** Where people type the code. */
export const DEVICE_PAGE = '/device'

export interface DeviceAuthorization {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

interface NewRequest {
  readonly client: Client
  readonly scopes: ReturnType<typeof checkScope>
  readonly post: FormPost
}

/** A code that another device shows at this moment is not given again. */
const store = async (
  database: Queryable,
  deviceCode: string,
  { client, scopes, post }: NewRequest,
): Promise<string> => {
  const userCode = newUserCode()
  const stored = await database.run(sql`
    insert into minaret.device_codes (device_code_hash, user_code, app_id, scopes, claims, address, user_agent,
      interval_seconds, expires_at)
    values (${sha256(deviceCode)}, ${userCode}, ${client.appId}, ${scopes}, ${claimsAsked(scopes, client)},
      ${post.address ?? null}, ${post.userAgent?.slice(0, 500).toWellFormed() ?? null}, ${DEVICE_INTERVAL_SECONDS},
      now() + make_interval(secs => ${DEVICE_CODE_SECONDS}))
    on conflict (user_code) do nothing`)
  return stored > 0 ? userCode : store(database, deviceCode, { client, scopes, post })
}

const authorizeDevice = async (parts: AuthorizeParts, post: FormPost): Promise<DeviceAuthorization> => {
  const parameters = singleValues(post.form)
  const client = await authenticateClient(parts.clients, readClientCredentials(post.authorization, parameters))
  parts.limits.devicesPerAddress.take(networkOf(post.address))
  requireDeviceFlow(client)
  const scopes = checkScope(parameters.scope, client.scopes)
  if (checkResource(resourcesOf(post.form), parts.issuer.baseUrl) !== undefined)
    throw invalidTarget('A device gets tokens for the service as a whole.')
  const deviceCode = randomToken(32)
  const userCode = showUserCode(await store(parts.database, deviceCode, { client, scopes, post }))
  const page = parts.issuer.baseUrl + DEVICE_PAGE
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?${new URLSearchParams({ user_code: userCode })}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: DEVICE_INTERVAL_SECONDS,
  }
}

export const startDeviceFlow = (parts: AuthorizeParts, post: FormPost): Promise<DeviceAuthorization> =>
  countingRefusals(parts.limits, post.address, () => authorizeDevice(parts, post))
