// Where this service and oidc-provider differ, and why; a difference that no longer exists fails its test.
import { type Answer, SIGN_IN } from './asking.ts'

export interface Difference {
  readonly because: string
  readonly ours: Answer
  readonly theirs: Answer
}

const page = { outcome: 'page', status: 400 }
const returned = (error: string | null, state: string | null = 'the state', iss = true): Answer => ({
  outcome: 'returns',
  error,
  state,
  iss,
})
const answered = (status: number, error: string | undefined, more: Answer = {}): Answer => ({
  status,
  error,
  noStore: true,
  challenge: undefined,
  empty: false,
  fields: [],
  ...more,
})

const deviceFields = ['device_code', 'expires_in', 'user_code', 'verification_uri', 'verification_uri_complete']
const withInterval = [...deviceFields, 'interval'].sort()

export const differences: Readonly<Record<string, Difference>> = {
  'authorize: no redirect_uri': {
    because: 'the specification requires it, and a default could change under an app that registers a second one',
    ours: page,
    theirs: SIGN_IN,
  },
  'authorize: redirect_uri twice': {
    because: 'we cannot guess which of the two to trust: RFC 6749 section 4.1.2.1 forbids redirecting then',
    ours: page,
    theirs: returned('invalid_request'),
  },
  'authorize: response_type token': {
    because: 'responses only go into the query; oidc-provider responds to an implicit request in the fragment',
    ours: returned('unsupported_response_type'),
    theirs: returned(null, null, false),
  },
  'authorize: no state': {
    because: 'the specification requires state',
    ours: returned('invalid_request', null),
    theirs: SIGN_IN,
  },
  'authorize: no scope': {
    because: 'the specification requires scope; RFC 6749 section 3.3 allows a default or invalid_scope',
    ours: returned('invalid_scope'),
    theirs: SIGN_IN,
  },
  'authorize: an unknown scope': {
    because: 'an app that requests an unknown scope should find out; oidc-provider drops the scope silently',
    ours: returned('invalid_scope'),
    theirs: SIGN_IN,
  },
  'token: no client': {
    because: 'RFC 6749 section 5.2 names "no client authentication included" under invalid_client',
    ours: answered(401, 'invalid_client', { challenge: 'Basic' }),
    theirs: answered(400, 'invalid_request'),
  },
  'token: client credentials of a public client': {
    because: 'RFC 6749 section 5.2: "not authorized to use this authorization grant type" is unauthorized_client',
    ours: answered(400, 'unauthorized_client'),
    theirs: answered(400, 'invalid_request'),
  },
  'token: client credentials with an unknown scope': {
    because: 'a token without the requested scope is useless; oidc-provider drops the scope silently',
    ours: answered(400, 'invalid_scope'),
    theirs: answered(200, undefined, { fields: ['access_token', 'expires_in', 'token_type'] }),
  },
  'device: a public client': {
    because: 'we say the interval, which RFC 8628 section 3.2 lets devices assume to be five seconds',
    ours: answered(200, undefined, { fields: withInterval }),
    theirs: answered(200, undefined, { fields: deviceFields }),
  },
  'device: a server': {
    because: 'we say the interval, which RFC 8628 section 3.2 lets devices assume to be five seconds',
    ours: answered(200, undefined, { fields: withInterval }),
    theirs: answered(200, undefined, { fields: deviceFields }),
  },
  'device: no client': {
    because: 'RFC 6749 section 5.2 names "no client authentication included" under invalid_client',
    ours: answered(401, 'invalid_client', { challenge: 'Basic' }),
    theirs: answered(400, 'invalid_request'),
  },
  'device: no scope': {
    because: 'scopes are checked as at the authorization endpoint, where the specification requires one',
    ours: answered(400, 'invalid_scope'),
    theirs: answered(200, undefined, { fields: deviceFields }),
  },
  'device: an unknown scope': {
    because: 'an app that requests an unknown scope should find out; oidc-provider drops the scope silently',
    ours: answered(400, 'invalid_scope'),
    theirs: answered(200, undefined, { fields: deviceFields }),
  },
  'revoke: an unknown token': {
    because: 'some libraries parse every response as JSON; no cache has a reason to store it',
    ours: answered(200, undefined),
    theirs: answered(200, undefined, { empty: true, noStore: false }),
  },
  'revoke: no token': {
    because: 'no cache has a reason to store the response of an endpoint that accepts tokens',
    ours: answered(400, 'invalid_request'),
    theirs: answered(400, 'invalid_request', { noStore: false }),
  },
  'revoke: a wrong secret': {
    because: 'no cache has a reason to store the response of an endpoint that accepts tokens',
    ours: answered(401, 'invalid_client', { challenge: 'Basic' }),
    theirs: answered(401, 'invalid_client', { challenge: 'Basic', noStore: false }),
  },
}
