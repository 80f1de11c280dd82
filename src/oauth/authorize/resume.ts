// A browser returning from sign-in → its stored request continues where it stopped.
import type { Session } from '../../accounts/sessions.ts'
import { Fault } from '../../base/fault.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { type AuthorizeAnswer, proceed } from './proceed.ts'
import { requireClientOf } from './requesting-client.ts'
import { findKeptRequest, type KeptRequest } from './stored-request.ts'

export const requestExpired = (): Fault =>
  new Fault({
    code: 'link_expired',
    status: 400,
    message: 'This request has expired or was already answered. Go back to the app and start again.',
  })

/** @throws {Fault} if the request is unknown, already answered or expired. */
export const requireKeptRequest = async (parts: AuthorizeParts, reference: string): Promise<KeptRequest> => {
  const kept = await findKeptRequest(parts.database, reference)
  if (kept === undefined) throw requestExpired()
  return kept
}

export const resume = async (
  parts: AuthorizeParts,
  reference: string,
  session: Session | undefined,
): Promise<AuthorizeAnswer> => {
  const { request, createdAt } = await requireKeptRequest(parts, reference)
  const client = await requireClientOf(parts, request)
  return proceed(parts, { client, request, session, kept: { reference, since: createdAt } })
}
