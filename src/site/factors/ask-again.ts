// What somebody typed or did on the page that asks again who they are → whether it proves it; and the page itself.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { AccountServices } from '../../accounts/account-services.ts'
import { readFactorState } from '../../accounts/factors/factor-state.ts'
import { stepUpWithCode, stepUpWithPassword } from '../../accounts/factors/step-up.ts'
import { hasPassword } from '../../accounts/passkeys/password-off.ts'
import { passkeyRequest, stepUpWithPasskey } from '../../accounts/passkeys/use-passkey.ts'
import { listIdentities } from '../../accounts/providers/linked-identities.ts'
import { type PageAnswer, showPage } from '../frame/page-reply.ts'
import type { SignedInVisit } from '../frame/visit.ts'
import { choicesOf, providerTargets } from '../providers/provider-buttons.ts'
import { browserOf } from '../sign-in/account-parts.ts'
import { type AgainTarget, againPage, type Wrong } from './again-page.ts'
import { typedCode } from './code-forms.ts'
import { passkeyAnswer, showWithPasskeys } from './passkey-form.ts'

const purposeOf = ({ binding }: SignedInVisit) => ({ purpose: 'step_up', binding }) as const

export interface Asking {
  readonly target: AgainTarget
  readonly status: number
  readonly wrong?: Wrong
}

export const showAgain = async (
  accounts: AccountServices,
  visit: SignedInVisit,
  { target, status, wrong }: Asking,
): Promise<PageAnswer> => {
  const { user, hasFactor } = visit.session
  const passkey = await passkeyRequest(accounts, purposeOf(visit), user.id)
  const linked = new Set((await listIdentities(accounts.database, user.id)).map(({ provider }) => provider))
  const state = {
    ...(await readFactorState(accounts.database, user.id)),
    hasFactor,
    hasPassword: await hasPassword(accounts, user.id),
    choices: choicesOf(accounts.providers).filter(({ name }) => linked.has(name)),
    passkey,
  }
  const page = againPage(visit.view, { state, target, wrong })
  return (passkey === undefined ? showPage : showWithPasskeys)(page, {
    status: wrong === undefined ? status : 422,
    formTargets: providerTargets(accounts.providers),
  })
}

const provePasskey = async (accounts: AccountServices, visit: SignedInVisit): Promise<Wrong> => {
  const response = passkeyAnswer<AuthenticationResponseJSON>(visit.form)
  const answer = response && { response, purpose: purposeOf(visit), visit: browserOf(visit) }
  return answer !== undefined && (await stepUpWithPasskey(accounts, visit.session, answer)) ? undefined : 'passkey'
}

/** Undefined if it is proven. A password is no proof for an account that has a second factor. */
export const prove = async (accounts: AccountServices, visit: SignedInVisit): Promise<Wrong> => {
  const kind = visit.form.text('kind')
  if (kind === 'provider') return 'provider'
  if (!visit.session.hasFactor)
    return (await stepUpWithPassword(accounts, visit.session, visit.form.exact('password'))) ? undefined : 'password'
  if (kind === 'passkey') return provePasskey(accounts, visit)
  const code = typedCode(visit)
  return (await stepUpWithCode(accounts, visit.session, { code, visit: browserOf(visit) })) ? undefined : code.kind
}
