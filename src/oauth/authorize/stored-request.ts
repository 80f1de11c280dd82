// An authorization request ↔ a row, while a person signs in and consents; the browser only gets its reference.
import type { Claim } from '../../access/claims.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Client } from '../clients/client.ts'
import { AUTHORIZATION_REQUEST_SECONDS, DECISION_REPEAT_SECONDS, PUSHED_REQUEST_SECONDS } from '../lifetimes.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** A pushed request (RFC 9126) has not reached a browser yet; a kept one has. Their references are not interchangeable. */
type Kind = 'kept' | 'pushed'

const seconds: Readonly<Record<Kind, number>> = {
  kept: AUTHORIZATION_REQUEST_SECONDS,
  pushed: PUSHED_REQUEST_SECONDS,
}

const store = async (
  database: Queryable,
  kind: Kind,
  client: Client,
  request: AuthorizationRequest,
): Promise<string> => {
  const reference = randomToken(32)
  await database.run(sql`
    insert into minaret.authorization_requests (reference_hash, app_id, parameters, expires_at)
    values (${sha256(reference)}, ${client.appId}, ${JSON.stringify({ ...request, kind })},
      now() + make_interval(secs => ${seconds[kind]}))`)
  return reference
}

export const keepRequest = (database: Queryable, client: Client, request: AuthorizationRequest): Promise<string> =>
  store(database, 'kept', client, request)

export const storePushedRequest = (
  database: Queryable,
  client: Client,
  request: AuthorizationRequest,
): Promise<string> => store(database, 'pushed', client, request)

type LaterField = 'claims' | 'acrValues' | 'responseMode'

interface StoredRow {
  readonly request: Omit<AuthorizationRequest, LaterField> & Partial<Pick<AuthorizationRequest, LaterField>>
}

/** Requests stored before these fields existed share no claims, ask for no level, and are answered in the query. */
const toRequest = ({ request }: StoredRow): AuthorizationRequest => ({
  ...request,
  claims: request.claims ?? [],
  acrValues: request.acrValues ?? [],
  responseMode: request.responseMode ?? 'query',
})

export interface KeptRequest {
  readonly request: AuthorizationRequest
  readonly createdAt: Date
}

interface KeptRow extends StoredRow {
  readonly createdAt: Date
}

const toKept = (row: KeptRow): KeptRequest => ({ request: toRequest(row), createdAt: row.createdAt })

export const findKeptRequest = async (database: Queryable, reference: string): Promise<KeptRequest | undefined> => {
  const row = await database.first<KeptRow>(sql`
    select parameters as request, created_at as "createdAt" from minaret.authorization_requests
    where reference_hash = ${sha256(reference)} and parameters ->> 'kind' = 'kept'
      and used_at is null and expires_at > now()`)
  return row && toKept(row)
}

/**
 * The request of a consent page, as long as this session may decide it: also once it was decided, because a double click
 * sends the decision twice.
 */
export const findShownRequest = async (
  database: Queryable,
  { reference, sessionId }: Pick<ShownRequest, 'reference' | 'sessionId'>,
): Promise<KeptRequest | undefined> => {
  const row = await database.first<KeptRow>(sql`
    select parameters as request, created_at as "createdAt" from minaret.authorization_requests
    where reference_hash = ${sha256(reference)} and parameters ->> 'kind' = 'kept' and session_id = ${sessionId}
      and expires_at > now()`)
  return row && toKept(row)
}

export interface ShownRequest {
  readonly reference: string
  readonly sessionId: string
  /** The claims that the page may name. */
  readonly claims: readonly Claim[]
}

/**
 * Only the session that saw the consent page may decide. Claims are only ever removed here, so a claim that one page
 * did not name cannot be allowed through another page of the same request.
 */
export const bindToSession = async (
  database: Queryable,
  { reference, sessionId, claims }: ShownRequest,
): Promise<AuthorizationRequest | undefined> => {
  const row = await database.first<StoredRow>(sql`
    update minaret.authorization_requests set session_id = ${sessionId},
      parameters = parameters || jsonb_build_object('claims', array(
        select claim from jsonb_array_elements_text(coalesce(parameters -> 'claims', '[]')) as claim
        where claim = any (${claims}::text[])))
    where reference_hash = ${sha256(reference)} and parameters ->> 'kind' = 'kept' and used_at is null
      and expires_at > now()
    returning parameters as request`)
  return row && toRequest(row)
}

export interface TakenDecision {
  readonly reference: string
  readonly sessionId: string
  readonly answer: 'allow' | 'deny'
}

/**
 * Consumes the request in one statement, so it cannot be decided twice. The same decision is accepted again for a short
 * time: a double click sends the form twice, and the browser only follows the second response.
 */
export const takeKeptRequest = async (
  database: Queryable,
  { reference, sessionId, answer }: TakenDecision,
): Promise<AuthorizationRequest | undefined> => {
  const row = await database.first<StoredRow>(sql`
    update minaret.authorization_requests
    set used_at = coalesce(used_at, now()), parameters = parameters || jsonb_build_object('decision', ${answer}::text)
    where reference_hash = ${sha256(reference)} and parameters ->> 'kind' = 'kept' and session_id = ${sessionId}
      and expires_at > now() and (used_at is null or (parameters ->> 'decision' = ${answer}
        and used_at > now() - make_interval(secs => ${DECISION_REPEAT_SECONDS})))
    returning parameters as request`)
  return row && toRequest(row)
}

/** Once a request is answered, its reference is useless. */
export const closeKeptRequest = (database: Queryable, reference: string): Promise<number> =>
  database.run(sql`
    update minaret.authorization_requests set used_at = now()
    where reference_hash = ${sha256(reference)} and used_at is null`)

/** RFC 9126 section 7.3: a request_uri works once, and only for the client that pushed it. */
export const takePushedRequest = async (
  database: Queryable,
  client: Client,
  reference: string,
): Promise<AuthorizationRequest | undefined> => {
  const row = await database.first<StoredRow>(sql`
    update minaret.authorization_requests set used_at = now()
    where reference_hash = ${sha256(reference)} and app_id = ${client.appId} and parameters ->> 'kind' = 'pushed'
      and used_at is null and expires_at > now()
    returning parameters as request`)
  return row && toRequest(row)
}
