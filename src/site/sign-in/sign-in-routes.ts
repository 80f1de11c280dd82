// Signing in and out.

import { emailKey } from '../../accounts/email-rules.ts'
import { endSession } from '../../accounts/sessions.ts'
import { signIn } from '../../accounts/sign-in.ts'
import { sendConfirmation } from '../../accounts/sign-up.ts'
import { findUserById } from '../../accounts/users.ts'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import { showWithPasskeys } from '../factors/passkey-form.ts'
import { signInOptions } from '../factors/passkey-sign-in.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { Visit } from '../frame/visit.ts'
import { choicesOf, providerTargets } from '../providers/provider-buttons.ts'
import { type AccountParts, browserOf, enterWith, resumePath, type Waiting, waitingRequest } from './account-parts.ts'
import { checkMailPage } from './check-mail-page.ts'
import { type SignInNews, signInNews, signInPage, withRequest } from './sign-in-page.ts'

const newsOf = (visit: Visit, { request, pending }: Waiting): SignInNews | undefined => {
  if (request !== undefined && pending === undefined) return 'expired_request'
  const done = visit.query.text('done')
  return signInNews.find(name => name === done)
}

/** The page's forms may lead to the app that waits, and to other providers. */
const targetsOf = ({ accounts }: AccountParts, formTargets: readonly string[]): readonly string[] => [
  ...new Set([...formTargets, ...providerTargets(accounts.providers)]),
]

/** The app waits until the account has the second factor that it needs. */
const factorFirst = ({ pages: { visits } }: AccountParts, visit: Visit, request: string | undefined): Answer => {
  if (request !== undefined) rememberReturn(visits, visit, resumePath(request))
  return redirectTo(SECURITY_PAGE)
}

const showSignIn = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const waiting = await waitingRequest(parts, visit)
  const { request, pending, formTargets } = waiting
  if (visit.session !== undefined && request === undefined) return redirectTo('/account')
  if (visit.session?.factorDue === true) return factorFirst(parts, visit, request)
  const shown = {
    email: pending?.loginHint ?? '',
    refused: false,
    request: pending && request,
    app: pending?.app,
    news: newsOf(visit, waiting),
    passkey: await signInOptions(parts, visit),
    providers: choicesOf(parts.accounts.providers),
    demo: parts.demo,
  }
  return showWithPasskeys(signInPage(visit.view, shown), { formTargets: targetsOf(parts, formTargets) })
}

const confirmFirst = async ({ accounts }: AccountParts, visit: Visit, userId: string, request: string | undefined) => {
  const user = await findUserById(accounts.database, userId)
  if (user === undefined) return redirectTo('/sign-in')
  accounts.limits.mailPerRecipient.take(emailKey(user.email))
  const { name, email, language } = user
  await accounts.database.transaction(transaction =>
    sendConfirmation(transaction, accounts, { userId, name, email, language, request }),
  )
  return showPage(checkMailPage(visit.view, { reason: 'sign_up', email }))
}

const acceptSignIn = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request, pending, formTargets } = await waitingRequest(parts, visit)
  const email = visit.form.text('email')
  const outcome = await signIn(parts.accounts, {
    email,
    password: visit.form.exact('password'),
    visit: browserOf(visit),
    strong: pending?.strong,
  })
  if (outcome.kind === 'signed_in') return enterWith(parts, visit, { token: outcome.token, request })
  if (outcome.kind === 'challenged') {
    parts.pages.visits.cookies.write(visit.reply, 'challenge', outcome.token)
    return redirectTo(withRequest('/sign-in/second-factor', request))
  }
  if (outcome.kind === 'unconfirmed') return confirmFirst(parts, visit, outcome.userId, request)
  const shown = {
    email,
    refused: true,
    request,
    app: pending?.app,
    news: undefined,
    passkey: await signInOptions(parts, visit),
    providers: choicesOf(parts.accounts.providers),
    demo: parts.demo,
  }
  return showWithPasskeys(signInPage(visit.view, shown), { status: 422, formTargets: targetsOf(parts, formTargets) })
}

const signOut = async ({ accounts, pages: { visits } }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id, user } = visit.session
  await endSession(accounts.database, user.id, id)
  const { address } = visit
  await recordAccountEvent(accounts.database, {
    action: 'account.signed_out',
    actorId: user.id,
    userId: user.id,
    address,
  })
  visits.cookies.clear(visit.reply, 'session')
  return redirectTo('/sign-in?done=signed_out')
}

export const addSignInRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.get('/sign-in', visit => showSignIn(parts, visit))
  routes.post('/sign-in', visit => acceptSignIn(parts, visit))
  routes.postSignedIn('/sign-out', visit => signOut(parts, visit))
}
