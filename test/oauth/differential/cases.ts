// The requests that are sent to both servers.
import { type Answer, authorizing, posting, type Side } from './asking.ts'

export interface Case {
  readonly name: string
  readonly ask: (side: Side) => Promise<Answer>
}

const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://app.example.org/callback' }
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const verifier = { code_verifier: 'v'.repeat(43) }

export const cases: readonly Case[] = [
  { name: 'authorize: a valid request', ask: authorizing({}) },
  { name: 'authorize: no client_id', ask: authorizing({ client_id: undefined }) },
  { name: 'authorize: an unknown client_id', ask: authorizing({ client_id: 'nobody' }) },
  { name: 'authorize: an unregistered redirect_uri', ask: authorizing({ redirect_uri: 'https://evil.example/' }) },
  {
    name: 'authorize: a redirect_uri with an extra slash',
    ask: authorizing({ redirect_uri: 'https://app.example.org/callback/' }),
  },
  { name: 'authorize: no redirect_uri', ask: authorizing({ redirect_uri: undefined }) },
  { name: 'authorize: client_id twice', ask: authorizing({}, 'client_id') },
  { name: 'authorize: redirect_uri twice', ask: authorizing({}, 'redirect_uri') },
  { name: 'authorize: scope twice', ask: authorizing({}, 'scope') },
  { name: 'authorize: no response_type', ask: authorizing({ response_type: undefined }) },
  { name: 'authorize: response_type token', ask: authorizing({ response_type: 'token' }) },
  { name: 'authorize: no code_challenge', ask: authorizing({ code_challenge: undefined }) },
  { name: 'authorize: a short code_challenge', ask: authorizing({ code_challenge: 'short' }) },
  { name: 'authorize: code_challenge_method plain', ask: authorizing({ code_challenge_method: 'plain' }) },
  { name: 'authorize: no code_challenge_method', ask: authorizing({ code_challenge_method: undefined }) },
  { name: 'authorize: prompt none, signed out', ask: authorizing({ prompt: 'none' }) },
  { name: 'authorize: prompt none and login', ask: authorizing({ prompt: 'none login' }) },
  { name: 'authorize: an unknown prompt', ask: authorizing({ prompt: 'dance' }) },
  { name: 'authorize: max_age -1', ask: authorizing({ max_age: '-1' }) },
  { name: 'authorize: a request object', ask: authorizing({ request: 'eyJhbGciOiJub25lIn0.e30.' }) },
  { name: 'authorize: a request_uri', ask: authorizing({ request_uri: 'https://app.example.org/request' }) },
  { name: 'authorize: an invalid id_token_hint', ask: authorizing({ id_token_hint: 'x' }) },
  { name: 'authorize: a registration', ask: authorizing({ registration: '{}' }) },
  { name: 'authorize: no state', ask: authorizing({ state: undefined }) },
  { name: 'authorize: no scope', ask: authorizing({ scope: undefined }) },
  { name: 'authorize: an unknown scope', ask: authorizing({ scope: 'openid everything' }) },
  { name: 'authorize: an unknown parameter', ask: authorizing({ extra: 'x' }) },
  { name: 'token: no grant_type', ask: posting('token', 'public', {}) },
  { name: 'token: an unknown grant_type', ask: posting('token', 'public', { grant_type: 'password' }) },
  { name: 'token: no client', ask: posting('token', 'nobody', { grant_type: 'client_credentials' }) },
  { name: 'token: a wrong secret', ask: posting('token', 'wrong', { grant_type: 'client_credentials' }) },
  { name: 'token: an unknown client', ask: posting('token', 'unknown', { grant_type: 'client_credentials' }) },
  {
    name: 'token: client credentials of a public client',
    ask: posting('token', 'public', { grant_type: 'client_credentials' }),
  },
  {
    name: 'token: client credentials',
    ask: posting('token', 'server', { grant_type: 'client_credentials', scope: 'masjid:read' }),
  },
  {
    name: 'token: client credentials with an unknown scope',
    ask: posting('token', 'server', { grant_type: 'client_credentials', scope: 'nothing' }),
  },
  { name: 'token: an unknown code', ask: posting('token', 'public', { ...code, ...verifier }) },
  {
    name: 'token: no code',
    ask: posting('token', 'public', { grant_type: 'authorization_code', redirect_uri: code.redirect_uri, ...verifier }),
  },
  {
    name: 'token: an unknown refresh token',
    ask: posting('token', 'public', { grant_type: 'refresh_token', refresh_token: 'x' }),
  },
  { name: 'token: no refresh token', ask: posting('token', 'public', { grant_type: 'refresh_token' }) },
  {
    name: 'token: two authentication methods',
    ask: posting('token', 'server', { grant_type: 'client_credentials', client_secret: 'x', client_id: 'x' }),
  },
  { name: 'device: a public client', ask: posting('device', 'public', { scope: 'openid' }) },
  { name: 'device: a server', ask: posting('device', 'server', { scope: 'openid' }) },
  { name: 'device: no client', ask: posting('device', 'nobody', { scope: 'openid' }) },
  { name: 'device: a wrong secret', ask: posting('device', 'wrong', { scope: 'openid' }) },
  { name: 'device: no scope', ask: posting('device', 'public', {}) },
  { name: 'device: an unknown scope', ask: posting('device', 'public', { scope: 'openid everything' }) },
  { name: 'token: no device_code', ask: posting('token', 'public', { grant_type: DEVICE_GRANT }) },
  {
    name: 'token: an unknown device_code',
    ask: posting('token', 'public', { grant_type: DEVICE_GRANT, device_code: 'x' }),
  },
  { name: 'revoke: an unknown token', ask: posting('revoke', 'public', { token: 'x' }) },
  { name: 'revoke: no token', ask: posting('revoke', 'public', {}) },
  { name: 'revoke: a wrong secret', ask: posting('revoke', 'wrong', { token: 'x' }) },
  { name: 'introspect: an unknown token', ask: posting('introspect', 'server', { token: 'x' }) },
  { name: 'introspect: no token', ask: posting('introspect', 'server', {}) },
  { name: 'introspect: a wrong secret', ask: posting('introspect', 'wrong', { token: 'x' }) },
  {
    name: 'push: an unregistered redirect_uri',
    ask: posting('push', 'server', { response_type: 'code', redirect_uri: 'https://evil.example/', scope: 'openid' }),
  },
  { name: 'push: a wrong secret', ask: posting('push', 'wrong', { response_type: 'code' }) },
]
