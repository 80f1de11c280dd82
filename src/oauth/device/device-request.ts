// A code that a signed-in person typed → the request of a device, from then on theirs to decide.
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Session } from '../../accounts/sessions.ts'
import { Fault } from '../../base/fault.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { claimsAsked } from '../authorize/authorization-request.ts'
import type { AuthorizeParts } from '../authorize/authorize-parts.ts'
import { checkStillGranted } from '../authorize/check-scope.ts'
import { requireClient } from '../authorize/requesting-client.ts'
import { requireTeam } from '../authorize/require-team.ts'
import type { Client } from '../clients/client.ts'
import type { Guesser } from './limit-guesses.ts'
import { requireDeviceFlow } from './require-device-flow.ts'
import { readUserCode } from './user-code.ts'

export interface DeviceRequest {
  readonly id: string
  readonly clientId: string
  readonly userCode: string
  readonly scopes: readonly Scope[]
  readonly claims: readonly Claim[]
  readonly address: string | null
  readonly userAgent: string | null
  readonly createdAt: Date
}

export const deviceRequestExpired = (): Fault =>
  new Fault({
    code: 'link_expired',
    status: 400,
    message: 'This request has expired or was already answered. Start again on the device.',
  })

/**
 * Whoever typed the code last decides: the request belongs to that browser. Undefined if the code is wrong, expired or decided.
 * @throws {Fault} `too_many_requests` after too many guesses.
 */
export const claimDeviceRequest = async (
  parts: AuthorizeParts,
  typed: string,
  { session, guesser }: { readonly session: Session; readonly guesser: Guesser },
): Promise<string | undefined> => {
  const code = readUserCode(typed)
  // What cannot be a code tells nobody anything.
  if (code === undefined) return undefined
  await parts.guesses.take(guesser)
  const row = await parts.database.first<{ id: string }>(sql`
    update minaret.device_codes set session_id = ${session.id}
    where user_code = ${code} and state = 'pending' and expires_at > now() returning id`)
  if (row !== undefined) await parts.guesses.giveBack()
  return row?.id
}

/** Requests that this browser may decide. */
export const decidable = (id: string, session: Session): Sql => sql`
  code.id::text = ${id} and code.session_id = ${session.id} and code.state = 'pending' and code.expires_at > now()`

export interface AskingDevice {
  readonly request: DeviceRequest
  readonly client: Client
}

/** @throws {Fault} if it is not this browser's to decide any more, or the app may not ask so any more. */
export const requireDeviceRequest = async (
  parts: AuthorizeParts,
  id: string,
  session: Session,
): Promise<AskingDevice> => {
  const found = await parts.database.first<DeviceRequest>(sql`
    select code.id, apps.client_id as "clientId", code.user_code as "userCode", code.scopes, code.claims, code.address,
      code.user_agent as "userAgent", code.created_at as "createdAt"
    from minaret.device_codes as code join minaret.apps on apps.id = code.app_id
    where ${decidable(id, session)}`)
  if (found === undefined) throw deviceRequestExpired()
  const client = await requireClient(parts, found.clientId)
  await requireTeam(parts, client, session.user.id)
  requireDeviceFlow(client)
  checkStillGranted(found, client)
  const allowed = claimsAsked(found.scopes, client)
  return { client, request: { ...found, claims: found.claims.filter(claim => allowed.includes(claim)) } }
}
