// Every code that a caller can meet, once: where it shows and what to do about it. docs/errors.md is made from this.
// A new code is added here first, in the section of its area; the compiler refuses any other.

interface Entry {
  /** What happened, and what the caller does next. */
  readonly meaning: string
}

/** Answers of any address: `{"error", "error_description"}`, or a page for people. */
const frame = {
  bad_request: { meaning: 'The request cannot be read. The description says what is wrong with it.' },
  not_found: { meaning: 'There is nothing at this address.' },
  too_large: { meaning: 'The body is larger than this address takes. Send less.' },
  too_many_requests: {
    meaning: 'Too many requests in a short time. Wait as many seconds as the header `Retry-After` says.',
  },
  unavailable: { meaning: 'The service is starting, stopping or overloaded. Try again after `Retry-After` seconds.' },
  unexpected: {
    meaning: 'A fault of ours. The description holds an id under which the log has the rest: tell it to the operator.',
  },
  demo_refused: { meaning: 'Demo data are for development only.' },
  database_role_refused: {
    meaning:
      'At the start: the database does not let its owner make the role that reads. The message has the statements an administrator may run.',
  },
} as const satisfies Record<string, Entry>

/** Bearer credentials (RFC 6750), at userinfo and wherever an access token or API key is taken. */
const access = {
  missing_token: { meaning: 'There is no `Authorization: Bearer` header. Send an API key or an access token.' },
  invalid_token: { meaning: 'The credential is malformed, expired or revoked. Get a new one.' },
  insufficient_scope: { meaning: 'The credential is good, but lacks a scope. `WWW-Authenticate` names it.' },
} as const satisfies Record<string, Entry>

/** Accounts: sign-up, sign-in and the account pages. */
const accounts = {
  email_taken: { meaning: 'There is an account with this e-mail address already.' },
  forbidden: { meaning: 'The account does not have the rights that this page needs.' },
  form_expired: {
    meaning:
      'The form was not sent from our own page in this browser, or that page is too old. Load it again and send it once more.',
  },
  link_expired: { meaning: 'The link from a mail was used already or is too old. Ask for a new one.' },
} as const satisfies Record<string, Entry>

/** Apps, their review, secrets and keys: console, review desk and command line. */
const apps = {
  app_not_found: { meaning: 'There is no such app, or it is not yours to see.' },
  registration_refused: {
    meaning: 'A value of the request is missing or not allowed. The message says which and why.',
  },
  state_refused: {
    meaning: 'The state of the app does not allow this, or somebody else decided meanwhile. Look at the app again.',
  },
  credential_refused: { meaning: 'The app cannot have this secret or key now. The message says why.' },
} as const satisfies Record<string, Entry>

/** OAuth 2.0 and OpenID Connect, named as in their RFCs. */
const oauth = {
  invalid_request: {
    meaning:
      'A parameter is missing, repeated or malformed; the description names it. For a fault of `client_id` or `redirect_uri` the authorization endpoint shows a page (400) and never redirects.',
  },
  invalid_client: {
    meaning:
      'The client is unknown, not approved, or its secret is wrong (401, `WWW-Authenticate: Basic`). Confidential apps authenticate with HTTP Basic.',
  },
  invalid_grant: {
    meaning:
      'The code or refresh token is unknown, expired, used before, of another client, or does not fit the redirect URI or verifier. Start a new authorization.',
  },
  invalid_scope: {
    meaning: 'A scope is missing, does not exist, was not granted to the app, or goes beyond what was granted.',
  },
  unauthorized_client: {
    meaning: 'The app may not use this way of getting tokens: client credentials are for confidential apps.',
  },
  unsupported_grant_type: { meaning: 'Use authorization_code, client_credentials or refresh_token.' },
  unsupported_response_type: { meaning: 'Use response_type=code.' },
  access_denied: { meaning: 'The person said no.' },
  login_required: { meaning: 'With prompt=none: nobody is signed in, or not recently enough, or somebody else is.' },
  consent_required: { meaning: 'With prompt=none: the person has not allowed the app all of these scopes yet.' },
  request_not_supported: { meaning: 'Request objects (`request`) are not supported.' },
  request_uri_not_supported: { meaning: 'A `request_uri` is accepted only from the pushed authorization endpoint.' },
  registration_not_supported: {
    meaning: 'Apps register in the developer console, not with the parameter `registration`.',
  },
  invalid_request_uri: { meaning: 'The pushed request is unknown, used or expired. Push it again.' },
  invalid_target: { meaning: 'The `resource` is not one of this service (RFC 8707).' },
} as const satisfies Record<string, Entry>

/** GraphQL: `errors[].extensions.code`. */
const graphql = {} as const satisfies Record<string, Entry>

/** Calendar feeds and the sandbox. */
const feeds = {} as const satisfies Record<string, Entry>

export const faultCatalogue = { frame, access, accounts, apps, oauth, graphql, feeds } as const

export type FaultCode = {
  [Area in keyof typeof faultCatalogue]: keyof (typeof faultCatalogue)[Area]
}[keyof typeof faultCatalogue]
