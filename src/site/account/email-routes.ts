// The targets of the links in mail about a change of email address: confirming it from the new one, undoing it from the old one.
import { confirmEmailChange, needsSignIn } from '../../accounts/change-email.ts'
import { peekMailToken } from '../../accounts/mail-tokens.ts'
import { peekEmailChange, stopEmailChange } from '../../accounts/stop-email-change.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes } from '../frame/page-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { confirmEmailChangePage, stopEmailChangePage } from './email-change-pages.ts'

const showConfirm = async (
  { accounts, pages: { visits } }: AccountParts,
  visit: Visit,
  { token, fault }: { readonly token: string; readonly fault?: string },
): Promise<Answer> => {
  const { userId, newEmail = '' } = await peekMailToken(accounts.database, 'change_email', token)
  const asksPassword = visit.session?.user.id !== userId
  if (visit.session === undefined && (await needsSignIn(accounts, userId))) {
    rememberReturn(visits, visit, `/confirm-email?${new URLSearchParams({ token })}`)
    return redirectTo('/sign-in')
  }
  const page = confirmEmailChangePage(visit.view, { token, newEmail, asksPassword, fault })
  return showPage(page, { status: fault === undefined ? 200 : 422 })
}

const acceptConfirm = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { form, session } = visit
  const token = form.text('token')
  const { userId } = await peekMailToken(parts.accounts.database, 'change_email', token)
  if (session === undefined && (await needsSignIn(parts.accounts, userId))) return showConfirm(parts, visit, { token })
  const input = { token, session, password: form.exact('password'), visit: browserOf(visit) }
  const fault = await confirmEmailChange(parts.accounts, input)
  return fault === undefined ? redirectTo('/account?done=email_changed') : showConfirm(parts, visit, { token, fault })
}

const showStop = async ({ accounts }: AccountParts, visit: Visit): Promise<Answer> => {
  const token = visit.query.text('token')
  const change = await peekEmailChange(accounts.database, token)
  return showPage(stopEmailChangePage(visit.view, { token, ...change }))
}

/** This browser's session has ended with all others. */
const acceptStop = async ({ accounts, pages: { visits } }: AccountParts, visit: Visit): Promise<Answer> => {
  const token = await stopEmailChange(accounts, visit.form.text('token'), browserOf(visit))
  visits.cookies.clear(visit.reply, 'session')
  return redirectTo(`/reset-password?${new URLSearchParams({ token, after: 'stopped' })}`)
}

export const addEmailRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.get('/confirm-email', visit => showConfirm(parts, visit, { token: visit.query.text('token') }))
  routes.post('/confirm-email', visit => acceptConfirm(parts, visit))
  routes.get('/stop-email-change', visit => showStop(parts, visit))
  routes.post('/stop-email-change', visit => acceptStop(parts, visit))
}
