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
const apps = {} as const satisfies Record<string, Entry>

/** OAuth 2.0 and OpenID Connect, named as in their RFCs. */
const oauth = {} as const satisfies Record<string, Entry>

/** GraphQL: `errors[].extensions.code`. */
const graphql = {} as const satisfies Record<string, Entry>

/** Calendar feeds and the sandbox. */
const feeds = {} as const satisfies Record<string, Entry>

export const faultCatalogue = { frame, access, accounts, apps, oauth, graphql, feeds } as const

export type FaultCode = {
  [Area in keyof typeof faultCatalogue]: keyof (typeof faultCatalogue)[Area]
}[keyof typeof faultCatalogue]
