// Signing up and confirming the address; forgotten passwords.
import { checkEmail } from '../../accounts/email-rules.ts'
import { peekMailToken } from '../../accounts/mail-tokens.ts'
import { askForReset, resetPassword } from '../../accounts/reset-password.ts'
import { confirmEmail, signUp } from '../../accounts/sign-up.ts'
import { isUnanswered } from '../../accounts/take-back/lately.ts'
import { TAKE_BACK_PAGE } from '../account/take-back/page.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes } from '../frame/page-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf, enterWith, waitingRequest } from './account-parts.ts'
import { checkMailPage } from './check-mail-page.ts'
import { confirmAddressPage, forgotPasswordPage, resetPasswordPage } from './link-pages.ts'
import { signUpPage } from './sign-up-page.ts'

/** The script that shows passwords fetches nothing. */
const WITH_SCRIPT = { scriptAsks: ["'none'"] }

const showSignUp = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request, pending } = await waitingRequest(parts, visit)
  return showPage(
    signUpPage(visit.view, { name: '', email: pending?.loginHint ?? '', faults: {}, request }),
    WITH_SCRIPT,
  )
}

const acceptSignUp = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request } = await waitingRequest(parts, visit)
  const { form, view } = visit
  const typed = { name: form.text('name'), email: form.text('email') }
  const faults = await signUp(parts.accounts, {
    ...typed,
    password: form.exact('password'),
    language: view.language,
    visit: browserOf(visit),
    request,
  })
  if (faults !== undefined)
    return showPage(signUpPage(view, { ...typed, faults: { ...faults }, request }), { ...WITH_SCRIPT, status: 422 })
  return showPage(checkMailPage(view, { reason: 'sign_up', email: typed.email }))
}

const showConfirm = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request, pending, formTargets } = await waitingRequest(parts, visit)
  const token = visit.query.text('token')
  const { email } = await peekMailToken(parts.accounts.database, 'confirm', token)
  const shown = { token, email, request: pending && request, wrong: false }
  return showPage(confirmAddressPage(visit.view, shown), { formTargets })
}

const acceptConfirm = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request, formTargets } = await waitingRequest(parts, visit)
  const token = visit.form.text('token')
  const { email } = await peekMailToken(parts.accounts.database, 'confirm', token)
  const password = visit.form.exact('password')
  const session = await confirmEmail(parts.accounts, { token, password, visit: browserOf(visit) })
  if (session !== undefined) return enterWith(parts, visit, { token: session, request })
  const shown = { token, email, request, wrong: true }
  return showPage(confirmAddressPage(visit.view, shown), { status: 422, formTargets })
}

const showForgot = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request, pending } = await waitingRequest(parts, visit)
  return showPage(forgotPasswordPage(visit.view, { email: pending?.loginHint ?? '', fault: undefined, request }))
}

const acceptForgot = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { request } = await waitingRequest(parts, visit)
  const email = visit.form.text('email')
  const fault = checkEmail(email)
  if (fault !== undefined) return showPage(forgotPasswordPage(visit.view, { email, fault, request }), { status: 422 })
  await askForReset(parts.accounts, email, browserOf(visit))
  return showPage(checkMailPage(visit.view, { reason: 'reset', email }))
}

const showReset = async ({ accounts }: AccountParts, visit: Visit): Promise<Answer> => {
  const token = visit.query.text('token')
  const { email } = await peekMailToken(accounts.database, 'reset', token)
  const stopped = visit.query.text('after') === 'stopped'
  return showPage(resetPasswordPage(visit.view, { token, email, fault: undefined, stopped }), WITH_SCRIPT)
}

const acceptReset = async ({ accounts, pages: { visits } }: AccountParts, visit: Visit): Promise<Answer> => {
  const token = visit.form.text('token')
  const { email, userId } = await peekMailToken(accounts.database, 'reset', token)
  const fault = await resetPassword(accounts, {
    token,
    password: visit.form.exact('password'),
    visit: browserOf(visit),
  })
  if (fault !== undefined)
    return showPage(resetPasswordPage(visit.view, { token, email, fault, stopped: false }), {
      ...WITH_SCRIPT,
      status: 422,
    })
  visits.cookies.clear(visit.reply, 'session')
  if (await isUnanswered(accounts.database, userId)) rememberReturn(visits, visit, TAKE_BACK_PAGE)
  return redirectTo('/sign-in?done=password_changed')
}

export const addSignUpRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.get('/sign-up', visit => showSignUp(parts, visit))
  routes.post('/sign-up', visit => acceptSignUp(parts, visit))
  routes.get('/confirm', visit => showConfirm(parts, visit))
  routes.post('/confirm', visit => acceptConfirm(parts, visit))
  routes.get('/forgot-password', visit => showForgot(parts, visit))
  routes.post('/forgot-password', visit => acceptForgot(parts, visit))
  routes.get('/reset-password', visit => showReset(parts, visit))
  routes.post('/reset-password', visit => acceptReset(parts, visit))
}
