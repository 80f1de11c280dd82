import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Session } from '../../accounts/sessions.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { decideNextStep, type Situation } from './decide-next-step.ts'
import { noConsent } from './remembered-consent.ts'

const now = new Date('2026-03-01T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

const request: AuthorizationRequest = {
  clientId: 'app',
  redirectUri: 'https://app.example.org/callback',
  responseMode: 'query',
  state: 's',
  scopes: ['openid', 'masjid:read'],
  claims: ['email'],
  codeChallenge: 'c',
  nonce: undefined,
  prompts: [],
  maxAge: undefined,
  acrValues: [],
  hintedUserId: undefined,
  loginHint: undefined,
  uiLocales: undefined,
}

const sessionSince = (authTime: Date, more: Partial<Session> = {}): Session =>
  ({
    id: 'session',
    authTime,
    expiresAt: now,
    user: { id: 'amina' },
    amr: ['pwd'],
    hasFactor: false,
    ...more,
  }) as unknown as Session

interface Wishes extends Partial<Omit<Situation, 'request'>> {
  readonly request?: Partial<AuthorizationRequest>
}

const decide = (wishes: Wishes = {}) =>
  decideNextStep({
    session: sessionSince(ago(60)),
    allowed: request,
    receiverKnown: true,
    keptSince: undefined,
    now,
    ...wishes,
    request: { ...request, ...wishes.request },
  }).kind

test('signed in and already allowed: the code, without a page', () => {
  assert.equal(decide(), 'code')
  assert.equal(decide({ allowed: { ...request, scopes: [...request.scopes, 'events:read'] } }), 'code')
})

test('signed out, signed in too long ago, prompt=login, another account: sign-in', () => {
  assert.equal(decide({ session: undefined }), 'sign-in')
  assert.equal(decide({ session: sessionSince(ago(60), { factorDue: true }) }), 'sign-in')
  assert.equal(decide({ request: { maxAge: 59 } }), 'sign-in')
  assert.equal(decide({ request: { maxAge: 60 } }), 'code')
  assert.equal(decide({ request: { maxAge: 61 } }), 'code')
  assert.equal(decide({ request: { maxAge: 0 } }), 'sign-in')
  assert.equal(decide({ request: { prompts: ['login'] } }), 'sign-in')
  assert.equal(decide({ request: { prompts: ['select_account'] } }), 'sign-in')
  assert.equal(decide({ request: { hintedUserId: 'yusuf' } }), 'sign-in')
  assert.equal(decide({ request: { hintedUserId: 'amina' } }), 'code')
})

test('a sign-in after the request satisfies prompt=login and max_age', () => {
  const fresh = { session: sessionSince(ago(5)), keptSince: ago(10) }
  assert.equal(decide({ ...fresh, request: { prompts: ['login'] } }), 'code')
  assert.equal(decide({ ...fresh, request: { maxAge: 1 } }), 'code')
  const atOnce = { session: sessionSince(ago(10)), keptSince: ago(10) }
  assert.equal(decide({ ...atOnce, request: { prompts: ['login'] } }), 'code')
  const stale = { session: sessionSince(ago(20)), keptSince: ago(10) }
  assert.equal(decide({ ...stale, request: { prompts: ['login'] } }), 'sign-in')
  assert.throws(() => decide({ ...fresh, request: { hintedUserId: 'yusuf' } }), { code: 'login_required' })
})

test('a level of sign-in is asked for once, of those who can reach it', () => {
  const request = { acrValues: ['aal2'] } as const
  const withFactor = sessionSince(ago(5), { hasFactor: true })
  assert.equal(decide({ request, session: withFactor }), 'sign-in')
  assert.equal(decide({ request, session: sessionSince(ago(5), { amr: ['pwd', 'otp', 'mfa'] }) }), 'code')
  const code = 'unmet_authentication_requirements'
  assert.throws(() => decide({ request }), { code }, 'the account has no second factor')
  assert.throws(() => decide({ request, session: withFactor, keptSince: ago(10) }), { code }, 'signed in for this')
})

test('new scopes or claims, no earlier consent, prompt=consent: consent', () => {
  assert.equal(decide({ allowed: { ...request, scopes: ['openid'] } }), 'consent')
  assert.equal(decide({ allowed: { ...request, claims: ['name'] } }), 'consent')
  assert.equal(decide({ allowed: noConsent }), 'consent')
  assert.equal(decide({ request: { prompts: ['consent'] } }), 'consent')
  assert.equal(decide({ receiverKnown: false }), 'consent')
})

test('prompt=none never asks', () => {
  const prompts = ['none'] as const
  assert.equal(decide({ request: { prompts } }), 'code')
  assert.throws(() => decide({ session: undefined, request: { prompts } }), { code: 'login_required' })
  assert.throws(() => decide({ request: { prompts, maxAge: 1 } }), { code: 'login_required' })
  assert.throws(() => decide({ allowed: noConsent, request: { prompts } }), { code: 'consent_required' })
  assert.throws(() => decide({ receiverKnown: false, request: { prompts } }), { code: 'consent_required' })
})
