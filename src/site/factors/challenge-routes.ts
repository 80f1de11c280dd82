// /sign-in/second-factor: after the password, the code. Works without script.
import { answerChallenge, type Challenge, findChallenge } from '../../accounts/factors/challenge.ts'
import type { CodeKind } from '../../accounts/factors/limit-codes.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { checkbox } from '../pieces/choices.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { type AccountParts, browserOf, enterWith, waitingRequest } from '../sign-in/account-parts.ts'
import { framed } from '../sign-in/link-pages.ts'
import { withRequest } from '../sign-in/sign-in-page.ts'
import { codeForms, typedCode } from './code-forms.ts'
import { passkeyHead, showWithPasskeys } from './passkey-form.ts'
import { passkeySignIn, signInOptions } from './passkey-sign-in.ts'

const CHALLENGE_PAGE = '/sign-in/second-factor'

interface ChallengeParts extends Challenge {
  readonly request: string | undefined
  readonly wrong: CodeKind | undefined
  /** For an authenticator; undefined if this person has no passkey. */
  readonly passkey: object | undefined
}

const challengePage = (view: View, { email, hasApp, request, wrong, passkey }: ChallengeParts): Html => {
  const { factors } = view.texts
  return framed(
    view,
    factors.challengeTitle,
    html`${hasApp && html`<p>${fill(factors.challengeText, { email: html`<bdi>${email}</bdi>` })}</p>`}
${passkey !== undefined && passkeySignIn(view, { options: passkey, request, autofill: false })}
${codeForms(view, {
  action: CHALLENGE_PAGE,
  hidden: { request },
  hasApp,
  wrong,
  buttons: { totp: factors.challengeButton, recovery: factors.recoveryButton },
  more: checkbox({ name: 'remember', value: 'yes', label: factors.challengeRemember }),
})}`,
    passkey && passkeyHead,
  )
}

const startAgain = ({ pages: { visits } }: AccountParts, visit: Visit, request: string | undefined): Answer => {
  visits.cookies.clear(visit.reply, 'challenge')
  const path = withRequest('/sign-in', request)
  return redirectTo(`${path}${path.includes('?') ? '&' : '?'}done=challenge_expired`)
}

const showChallenge = async (parts: AccountParts, visit: Visit, wrong?: CodeKind): Promise<Answer> => {
  const { accounts, pages } = parts
  const { request, formTargets } = await waitingRequest(parts, visit)
  const token = pages.visits.cookies.read(visit.request, 'challenge')
  const challenge = token === undefined ? undefined : await findChallenge(accounts.database, token)
  if (challenge === undefined) return startAgain(parts, visit, request)
  const passkey = await signInOptions(parts, visit, challenge.account.userId)
  const page = challengePage(visit.view, { ...challenge, request, wrong, passkey })
  return (passkey === undefined ? showPage : showWithPasskeys)(page, {
    status: wrong === undefined ? 200 : 422,
    formTargets,
  })
}

const acceptChallenge = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { cookies } = parts.pages.visits
  const { request } = await waitingRequest(parts, visit)
  const code = typedCode(visit)
  const outcome = await answerChallenge(parts.accounts, {
    token: cookies.read(visit.request, 'challenge') ?? '',
    code,
    remember: code.kind === 'totp' && visit.form.text('remember') === 'yes',
    visit: browserOf(visit),
  })
  if (outcome.kind === 'expired') return startAgain(parts, visit, request)
  if (outcome.kind === 'wrong') return showChallenge(parts, visit, code.kind)
  if (outcome.device !== undefined) cookies.write(visit.reply, 'device', outcome.device)
  return enterWith(parts, visit, { token: outcome.token, request })
}

export const addChallengeRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.get(CHALLENGE_PAGE, visit => showChallenge(parts, visit))
  routes.post(CHALLENGE_PAGE, visit => acceptChallenge(parts, visit))
}
