// A request that a signed-in person has allowed → a grant and its authorization code.
import type { Session } from '../../accounts/sessions.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Client } from '../clients/client.ts'
import { CODE_SECONDS } from '../lifetimes.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import type { ShownConsent } from './shown-consent.ts'

export interface Authorization {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly session: Session
}

interface Consent {
  readonly client: Client
  readonly request: Pick<AuthorizationRequest, 'scopes' | 'claims'>
  readonly session: Session
}

/** A common table expression after `consent`: what was shown is kept with every consent that is given. */
export const keepShown = ({ client, request }: Consent, { language, version, shown }: ShownConsent): Sql => sql`
  consent_text as (
    insert into minaret.consent_texts (user_id, app_id, scopes, claims, language, version, shown)
    select user_id, ${client.appId}::uuid, ${request.scopes}::text[], ${request.claims}::text[], ${language}, ${version},
      ${JSON.stringify(shown)}::jsonb
    from consent)`

/** Adds to what was allowed before, unless that was withdrawn. `from`: once for each row, where there must be one. */
export const newConsent = ({ client, request, session }: Consent, from: Sql = sql``): Sql => sql`
  insert into minaret.consents (user_id, app_id, scopes, claims)
  select ${session.user.id}::uuid, ${client.appId}::uuid, ${request.scopes}::text[], ${request.claims}::text[] ${from}
  on conflict (user_id, app_id) do update set given_at = now(), withdrawn_at = null,
    scopes = case when consents.withdrawn_at is null
      then array(select distinct unnest(consents.scopes || excluded.scopes)) else excluded.scopes end,
    claims = case when consents.withdrawn_at is null
      then array(select distinct unnest(consents.claims || excluded.claims)) else excluded.claims end
  returning user_id`

/** Locked, so that a concurrent withdrawal waits and then ends this grant too. */
const rememberedConsent = ({ client, request, session }: Authorization): Sql => sql`
  select user_id from minaret.consents
  where user_id = ${session.user.id} and app_id = ${client.appId} and withdrawn_at is null
    and scopes @> ${request.scopes}::text[] and claims @> ${request.claims}::text[]
  for share`

/** Undefined if a remembered consent was withdrawn in the meantime. */
const issue = async (
  parts: AuthorizeParts,
  { client, request, session }: Authorization,
  /** `consent`, and perhaps what else is to be written. */
  expressions: Sql,
): Promise<string | undefined> => {
  const code = randomToken(32)
  const issued = await parts.database.run(sql`
    with ${expressions}, authorization_grant as (
      insert into minaret.grants (app_id, user_id, session_id, sid, scopes, claims, auth_time, amr, resource)
      select ${client.appId}, consent.user_id, ${session.id}, ${session.sid}::uuid, ${request.scopes}::text[],
        ${request.claims}::text[], ${session.authTime}, ${session.amr}::text[], ${request.resource ?? null}::text
      from consent
      returning id, app_id, user_id, scopes, auth_time
    )
    insert into minaret.authorization_codes (code_hash, grant_id, app_id, user_id, redirect_uri, code_challenge, scopes,
      nonce, dpop_jkt, auth_time, expires_at)
    select ${sha256(code)}, id, app_id, user_id, ${request.redirectUri}, ${request.codeChallenge}, scopes,
      ${request.nonce ?? null}, ${request.dpopJkt ?? null}, auth_time, now() + make_interval(secs => ${CODE_SECONDS})
    from authorization_grant`)
  return issued > 0 ? code : undefined
}

/** The person has just consented to what was shown. */
export const issueCodeOnConsent = async (
  parts: AuthorizeParts,
  authorization: Authorization,
  shown: ShownConsent,
): Promise<string> => {
  const consent = sql`consent as (${newConsent(authorization)}), ${keepShown(authorization, shown)}`
  const code = await issue(parts, authorization, consent)
  if (code === undefined) throw new Error('consent was given, but no code was issued')
  return code
}

/** The person consented earlier. */
export const issueCodeAgain = (parts: AuthorizeParts, authorization: Authorization): Promise<string | undefined> =>
  issue(parts, authorization, sql`consent as (${rememberedConsent(authorization)})`)
