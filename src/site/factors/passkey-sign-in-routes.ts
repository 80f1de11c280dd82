// /sign-in/passkey: the answer of an authenticator → a session. It counts as both factors.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { signInWithPasskey } from '../../accounts/passkeys/use-passkey.ts'
import { networkOf } from '../../base/ip-address.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import type { PageRoutes } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf, enterWith, waitingRequest } from '../sign-in/account-parts.ts'
import { withRequest } from '../sign-in/sign-in-page.ts'
import { passkeyAnswer } from './passkey-form.ts'
import { PASSKEY_SIGN_IN, purposeOf } from './passkey-sign-in.ts'

const acceptPasskey = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request } = await waitingRequest(parts, visit)
  parts.accounts.limits.signInPerAddress.take(networkOf(visit.address))
  const response = passkeyAnswer<AuthenticationResponseJSON>(visit.form)
  const answer = response && { response, purpose: purposeOf(visit), visit: browserOf(visit) }
  const token = answer && (await signInWithPasskey(parts.accounts, answer))
  if (token !== undefined) return enterWith(parts, visit, { token, request })
  const path = withRequest('/sign-in', request)
  return redirectTo(`${path}${path.includes('?') ? '&' : '?'}done=passkey_refused`)
}

export const addPasskeySignInRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.post(PASSKEY_SIGN_IN, visit => acceptPasskey(parts, visit))
}
