// Every error code: where it occurs and what to do about it. docs/errors.md is generated from this table.
// A new code is added here first, in the section of its area; the compiler refuses any other.

import { grantTypes } from './grant-types.ts'
import { scopeDescriptions } from './scope-table.ts'

const openScopes = scopeDescriptions
  .filter(({ open }) => open)
  .map(({ name }) => name)
  .join(', ')

interface Entry {
  /** What happened, and what the caller does next. */
  readonly meaning: string
}

/** Any endpoint: `{"error", "error_description"}`, or a page for people. */
const frame = {
  bad_request: { meaning: 'The request cannot be read. The description says what is wrong with it.' },
  not_found: { meaning: 'There is nothing at this URL.' },
  too_large: { meaning: 'The body is larger than this endpoint accepts. Send less.' },
  too_many_requests: {
    meaning: 'Too many requests in a short time. Wait for the number of seconds in the `Retry-After` header.',
  },
  unavailable: { meaning: 'The service is starting, stopping or overloaded. Try again after `Retry-After` seconds.' },
  'database-unavailable': {
    meaning:
      'The database cannot be reached, does not answer, or kept the request waiting until its deadline (503). Try again after `Retry-After` seconds. The OAuth endpoints call it `temporarily_unavailable`.',
  },
  'too-many-waiting': {
    meaning:
      'Too many requests of the same app (without a credential: of the same address) are in progress or waiting (429). Send fewer at a time, and try again after `Retry-After` seconds.',
  },
  'storage-full': {
    meaning:
      'The database has no storage left (503): nothing can be written, reading goes on. The operator has to act.',
  },
  sealed_otherwise: {
    meaning:
      'Something that is stored encrypted opens neither with `MINARET_SECRET` nor with `MINARET_SECRET_PREVIOUS` (503). The operator runs `bin/minaret doctor`, which says what to set.',
  },
  unexpected: {
    meaning:
      'An internal error. The description has the id of the log entry with the details: report it to the operator.',
  },
  import_refused: {
    meaning:
      'A directory cannot be imported, or its file cannot be read on. The description says why, and on which line.',
  },
  demo_refused: { meaning: 'Demo data is for development only.' },
  database_role_refused: {
    meaning:
      'At start-up: the database does not allow its owner to create the roles that read and write. The message has the statements that a superuser runs once.',
  },
} as const satisfies Record<string, Entry>

/** Bearer credentials (RFC 6750), at userinfo and wherever an access token or API key is accepted. */
const access = {
  missing_token: { meaning: 'There is no `Authorization: Bearer` header. Send an API key or an access token.' },
  invalid_token: { meaning: 'The credential is malformed, expired or revoked. Get a new one.' },
  invalid_dpop_proof: {
    meaning:
      'The proof in the `DPoP` header is missing, for another request, key or token, too old, or was used before (RFC 9449). Make a new one for each request; the description says what is wrong.',
  },
  use_dpop_nonce: {
    meaning:
      'The proof lacks a current nonce. Repeat the request with a new proof that has the value of the `DPoP-Nonce` header as its `nonce`. Libraries do so by themselves.',
  },
  insufficient_user_authentication: {
    meaning:
      'The person signed in with a password alone, and this scope needs a second factor (RFC 9470). Send them to the authorization endpoint with the `acr_values` of `WWW-Authenticate`.',
  },
  insufficient_scope: { meaning: 'The credential is valid, but lacks a scope. `WWW-Authenticate` names it.' },
} as const satisfies Record<string, Entry>

/** Accounts: sign-up, sign-in and the account pages. */
const accounts = {
  email_taken: { meaning: 'There is already an account with this email address.' },
  forbidden: { meaning: 'The account does not have the rights that this page needs.' },
  form_expired: {
    meaning:
      'The form was not sent from our own page in this browser, or that page is too old. Reload the page and submit the form again.',
  },
  erasure_blocked: {
    meaning:
      'The account cannot be erased yet (409): it owns apps, or is the only one that manages a masjid. Delete or hand them over first.',
  },
  account_taken_back: {
    meaning: 'The account is being taken back by its owner: nobody acts for it until they have signed in again.',
  },
  link_expired: { meaning: 'The link from an email has already been used or is too old. Request a new one.' },
} as const satisfies Record<string, Entry>

/** Apps, their review, secrets and keys: console, review desk and command line. */
const apps = {
  app_not_found: { meaning: 'There is no such app, or it is not yours to see.' },
  registration_refused: {
    meaning: 'A value of the request is missing or not allowed. The message says which and why.',
  },
  state_refused: {
    meaning: 'The state of the app does not allow this, or somebody else has decided in the meantime. Reload the app.',
  },
  not_on_team: {
    meaning:
      'The app is still being developed (403): its development client works for the accounts of its team alone. Sign in as one of them.',
  },
  own_app: { meaning: 'Reviewers cannot decide about their own apps. Ask another reviewer.' },
  credential_refused: { meaning: 'The app cannot have this secret or key now. The message says why.' },
  created_before: {
    meaning: 'The form was sent before: the secret, key or endpoint exists, and its secret is not shown again.',
  },
  webhook_not_found: { meaning: 'There is no such webhook endpoint or delivery, or it is not yours to see.' },
  webhook_refused: {
    meaning: 'The state of the webhook endpoint, or of its app, does not allow this. The message says why.',
  },
} as const satisfies Record<string, Entry>

/** OAuth 2.0 and OpenID Connect, named as in their RFCs. */
const oauth = {
  invalid_request: {
    meaning:
      'A parameter is missing, repeated or malformed; the description names it. If `client_id` or `redirect_uri` is wrong, the authorization endpoint shows a page (400) and never redirects.',
  },
  invalid_client: {
    meaning:
      'The client is unknown, not approved, or its secret is wrong (401, `WWW-Authenticate: Basic`). Confidential apps authenticate with HTTP Basic, with `client_secret` in the form, or with a signed `client_assertion`, which works once; public apps have no secret and send `client_id` alone.',
  },
  invalid_grant: {
    meaning:
      'The code or refresh token is unknown, expired, already used, of another client, or does not match the redirect URI or verifier. Start a new authorization.',
  },
  invalid_scope: {
    meaning: 'A scope is missing, does not exist, was not granted to the app, or goes beyond what was granted.',
  },
  unauthorized_client: {
    meaning:
      'The app may not use this grant type: client credentials are for confidential apps, device codes for apps with the device flow switched on.',
  },
  unsupported_grant_type: {
    meaning: `The grant types are: ${grantTypes.join(', ')}.`,
  },
  authorization_pending: {
    meaning: 'The person has not typed the code of the device yet, or has not decided. Poll again after `interval`.',
  },
  slow_down: { meaning: 'The device polls too often. Wait five seconds longer between polls from now on.' },
  expired_token: { meaning: 'The device code has expired. Start again with a new one.' },
  unsupported_response_type: { meaning: 'Use response_type=code.' },
  access_denied: { meaning: 'The person denied access.' },
  login_required: { meaning: 'With prompt=none: nobody is signed in, or not recently enough, or somebody else is.' },
  unmet_authentication_requirements: {
    meaning:
      'The person cannot sign in as strongly as acr_values asks for: the account has no second factor, or no passkey. They can add one under Your account, Security.',
  },
  consent_required: { meaning: 'With prompt=none: the person has not allowed the app all of these scopes yet.' },
  request_not_supported: { meaning: 'Request objects (`request`) are not supported.' },
  request_uri_not_supported: { meaning: 'A `request_uri` is accepted only from the pushed authorization endpoint.' },
  registration_not_supported: {
    meaning: 'Apps register in the developer console, not with the parameter `registration`.',
  },
  invalid_request_uri: { meaning: 'The pushed request is unknown, used or expired. Push it again.' },
  temporarily_unavailable: {
    meaning:
      'The database cannot be reached at the moment (503). Repeat the same request after `Retry-After` seconds: a code or refresh token that was not used stays valid.',
  },
  invalid_target: { meaning: 'The `resource` does not belong to this service (RFC 8707).' },
} as const satisfies Record<string, Entry>

/** GraphQL: `errors[].extensions.code`. */
const graphql = {
  'insufficient-scope': {
    meaning: 'The operation names a table whose scope the credential lacks. The message names both: request the scope.',
  },
  'parse-failed': { meaning: 'The document is not valid GraphQL. `locations` says where.' },
  'validation-failed': {
    meaning: 'The document does not match the schema. The message says why, often with a suggestion.',
  },
  'bad-variables': { meaning: 'A variable is missing or has another type than the operation declares.' },
  'unknown-operation': {
    meaning: 'Several operations and no `operationName`, or one that the document does not have.',
  },
  'page-out-of-range': {
    meaning: '`limit`, `first` and `last` are from 0 to 100, `offset` 0 or more. Use `after` for the next page.',
  },
  'bad-cursor': {
    meaning: '`after` or `before` is not a cursor of the same list in the same `order_by`.',
  },
  'cursor-too-old': {
    meaning:
      'The changes after a cursor of `up_changes_since` or `pc_changes_since` are no longer kept, or the database was restored. Copy the rows again, from a new cursor on.',
  },
  'bad-id': { meaning: 'The `id` given to `node` is not the id of a row. Send one as `/v1/relay` returned it.' },
  'bad-value': {
    meaning:
      'A value in a filter or an argument that is not valid there: out of range, malformed, or an invalid pattern.',
  },
  'data-exception': {
    meaning:
      'A value sent to be written is not valid for its column: out of range or malformed. `path` names the object, `extensions.columns` the column.',
  },
  'too-many-values': {
    meaning: 'A list to compare with (`_in`, `_nin` and the like) is too long. Send fewer values at a time.',
  },
  'search-too-long': {
    meaning:
      'A pattern (`_like`, `_regex` and the like), or what a search function looks for, is too long. Shorten it.',
  },
  'too-many-tokens': { meaning: 'The document is too long. Split it.' },
  'too-deep': { meaning: 'Fields, or objects in an argument, nest too deeply. The message names the maximum.' },
  'too-many-fields': { meaning: 'Too many fields, with fragments expanded. Split the query.' },
  'too-many-aliases': { meaning: 'Too many aliases. Split the query.' },
  'too-many-conditions': { meaning: 'The filters have too many conditions. Use `_in`, or split the request.' },
  'too-many-root-fields': { meaning: 'Too many fields at the root of an operation. Split it.' },
  'too-costly': {
    meaning:
      'The limits of the lists, multiplied down the tree, allow too many rows, and so do the statistics of the tables. Lower `limit` where the message says; `extensions.cost.parts` has the cost by part.',
  },
  conflict: {
    meaning:
      'The row has changed since the version in `if_version`. `extensions.current` has it as it is now, with the same fields: decide again, and send its version.',
  },
  'constraint-violation': {
    meaning:
      'What was sent breaks a rule of the data: a value is taken or missing, a reference leads nowhere, or a check fails. `extensions.constraint` and `extensions.columns` name it where known, `extensions.rule` the plain sentence where it has no words of its own, `extensions.values` what differs in the message, and `path` the object. Nothing was written.',
  },
  'not-permitted': {
    meaning:
      'The credential may write to the table, but not this row: it belongs to another masjid or person, or the capability is missing. `extensions.constraint` names the rule where there is one. Nothing was written.',
  },
  'too-many-rows': {
    meaning:
      'More rows would be written than `max_affected` allows, or more objects inserted than one field may. Nothing was written.',
  },
  'sandbox-read-only': {
    meaning:
      'Nothing can be changed in the sandbox. Add `@dry_run` to the mutation, and send a test key, to see what it would do.',
  },
  'idempotency-key-reused': {
    meaning: 'Another request was sent with this `Idempotency-Key` (422). Use a new key for a new request.',
  },
  'idempotency-key-in-use': {
    meaning:
      'A request with this `Idempotency-Key` is still running (409). Try again after `Retry-After` seconds to get its response.',
  },
  'subscription-elsewhere': {
    meaning:
      'A subscription was sent like a query. Send it with `Accept: text/event-stream`, or over a WebSocket with the protocol `graphql-transport-ws`.',
  },
  'not-live': {
    meaning:
      'The subscription names a table whose changes are not logged, so it cannot be followed. Query it instead; the operator can enable the triggers of the table.',
  },
  'too-many-subscriptions': {
    meaning:
      'The app, for this person, or the address has too many subscriptions or connections open (429). End some, or select more in one subscription.',
  },
  'batch-too-large': { meaning: 'Too many operations in one request. Send fewer at a time.' },
  'slow-returning': {
    meaning:
      'Reading the response of a mutation took longer than 250 ms. Others wait for the written rows meanwhile, so nothing was written. Select less in it, and read the rest in a query afterwards.',
  },
  timeout: { meaning: 'The database took too long. Request less, or filter by an indexed column.' },
  overloaded: {
    meaning:
      'Too many requests are waiting for the database, which is busy (503). Try again after `Retry-After` seconds, or request less.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    meaning: 'The hash is not known (yet): send it once together with the query. Apollo clients do so automatically.',
  },
  'persisted-query-mismatch': { meaning: 'The hash is not the SHA-256 of the query sent with it.' },
  'method-not-allowed': { meaning: 'GET is for queries, POST for everything. `Allow` lists the methods.' },
  'not-acceptable': { meaning: 'Accept `application/graphql-response+json` or `application/json`.' },
  'unsupported-media-type': { meaning: 'Send the body as `application/json`.' },
} as const satisfies Record<string, Entry>

/** Calendar feeds and the sandbox. */
const feeds = {
  key_in_address: {
    meaning: `A key in a URL ends up in histories and logs, so \`?key=\` accepts only an API key that opens nothing but public data (${openScopes}). Create one for your calendar, or send the credential in the header.`,
  },
} as const satisfies Record<string, Entry>

export const faultCatalogue = { frame, access, accounts, apps, oauth, graphql, feeds } as const

export type FaultCode = {
  [Area in keyof typeof faultCatalogue]: keyof (typeof faultCatalogue)[Area]
}[keyof typeof faultCatalogue]
