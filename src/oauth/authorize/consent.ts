// The question whether an app may act for a person, and the answer to it.
import type { Scope } from '../../access/scopes.ts'
import type { Session } from '../../accounts/sessions.ts'
import type { Client } from '../clients/client.ts'
import { accessDenied, invalidRequest } from '../oauth-fault.ts'
import type { Provider } from '../provider.ts'
import { codeLocation, faultLocation } from './answer-location.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { checkScope } from './check-scope.ts'
import { allowedScopes, issueCodeOnConsent } from './issue-code.ts'
import { destinationOf } from './proceed.ts'
import { requireClient } from './requesting-client.ts'
import { requestExpired, requireKeptRequest } from './resume.ts'
import { bindToSession, takeKeptRequest } from './stored-request.ts'

export interface ConsentQuestion {
  readonly client: Client
  readonly request: AuthorizationRequest
  /** Not allowed before, though others were. */
  readonly newScopes: readonly Scope[]
  /** Without `openid`, userinfo tells the whole record. */
  readonly wholeProfile: boolean
}

/** From here on the request can only be decided in this session. */
export const askConsent = async (provider: Provider, reference: string, session: Session): Promise<ConsentQuestion> => {
  const { request } = await requireKeptRequest(provider, reference)
  const client = await requireClient(provider, request.clientId)
  await bindToSession(provider, reference, session.id)
  const allowed = await allowedScopes(provider, session.user.id, client.appId)
  const newScopes = allowed.length === 0 ? [] : request.scopes.filter(scope => !allowed.includes(scope))
  return { client, request, newScopes, wholeProfile: !request.scopes.includes('openid') }
}

export interface Decision {
  readonly reference: string
  readonly session: Session
  readonly answer: string
  readonly address: string
}

/** Where the browser goes with the person's decision. */
export const decideConsent = async (provider: Provider, decision: Decision): Promise<string> => {
  const { reference, session, answer, address } = decision
  if (answer !== 'allow' && answer !== 'deny') throw invalidRequest('The decision is neither allow nor deny.')
  const request = await takeKeptRequest(provider, { reference, sessionId: session.id, answer })
  if (request === undefined) throw requestExpired()
  const client = await requireClient(provider, request.clientId)
  // A reviewer may have narrowed the app while the page was open.
  checkScope(request.scopes.join(' '), client.scopes)
  const [userId, appId, scope] = [session.user.id, client.appId, request.scopes.join(' ')]
  const action = answer === 'allow' ? 'oauth.consent_given' : 'oauth.consent_denied'
  provider.audit.note({ action, actor: 'user', appId, userId, address, detail: { scope } })
  const destination = destinationOf(provider, request)
  if (answer === 'deny') return faultLocation(destination, accessDenied('The person did not allow it.'))
  return codeLocation(destination, await issueCodeOnConsent(provider, { client, request, session }))
}
