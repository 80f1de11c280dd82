// /account/security: the authenticator app, recovery codes and remembered browsers of one's own account.
import { beginTotp, confirmTotp, pendingTotpKey, removeTotp } from '../../accounts/factors/authenticator-app.ts'
import { forgetDevice, listRememberedDevices } from '../../accounts/factors/devices.ts'
import { readFactorState, replaceRecoveryCodes } from '../../accounts/factors/factor-state.ts'
import { listIdentities } from '../../accounts/providers/linked-identities.ts'
import { notFound } from '../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { takeReturn } from '../frame/return-address.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { choicesOf, providerTargets } from '../providers/provider-buttons.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { readPasskeyState } from './passkey-routes.ts'
import { isSecurityNews, securityPage } from './security-page.ts'
import { recoveryCodesPage, setUpAppPage } from './set-up-pages.ts'

const showSecurity = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { accounts } = parts
  const { user, hasFactor, factorDue: required } = visit.session
  const done = visit.query.text('done')
  const page = securityPage(visit.view, {
    state: await readFactorState(accounts.database, user.id),
    passkeys: await readPasskeyState(parts, user.id),
    linked: {
      choices: choicesOf(accounts.providers),
      identities: await listIdentities(accounts.database, user.id),
    },
    devices: await listRememberedDevices(accounts.database, user.id),
    hasFactor,
    required,
    news: isSecurityNews(done) ? done : undefined,
  })
  return showPage(page, { formTargets: providerTargets(accounts.providers) })
}

const begin = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await beginTotp(accounts, visit.session.user.id)
  return redirectTo(`${SECURITY_PAGE}/app`)
}

const showSetUp = async ({ accounts }: AccountParts, visit: SignedInVisit, wrong = false): Promise<Answer> => {
  const key = await pendingTotpKey(accounts, visit.session.user)
  if (key === undefined) return redirectTo(`${SECURITY_PAGE}?done=expired`)
  return showWithCopies(setUpAppPage(visit.view, key, wrong), { status: wrong ? 422 : 200 })
}

const acceptSetUp = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const typed = visit.form.text('code')
  const outcome = await confirmTotp(parts.accounts, visit.session, { typed, visit: browserOf(visit) })
  if (outcome.kind === 'wrong') return showSetUp(parts, visit, true)
  if (outcome.kind === 'expired') return redirectTo(`${SECURITY_PAGE}?done=expired`)
  if (outcome.codes === undefined) return redirectTo(`${SECURITY_PAGE}?done=app_added`)
  return showWithCopies(recoveryCodesPage(visit.view, outcome.codes, visit.view.texts.factors.appAdded))
}

const askRemove = ({ view }: SignedInVisit): Answer => {
  const { factors } = view.texts
  return showPage(
    confirmPage(view, {
      title: factors.appRemoveTitle,
      text: factors.appRemoveText,
      action: `${SECURITY_PAGE}/app/remove`,
      button: factors.appRemove,
      cancel: SECURITY_PAGE,
      section: 'account',
    }),
  )
}

const acceptRemove = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await removeTotp(accounts, visit.session, browserOf(visit))
  return redirectTo(`${SECURITY_PAGE}?done=app_removed`)
}

const renewCodes = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const codes = await replaceRecoveryCodes(accounts, visit.session, browserOf(visit))
  if (codes === undefined) return redirectTo(SECURITY_PAGE)
  return showWithCopies(recoveryCodesPage(visit.view, codes, visit.view.texts.factors.codesRenewed))
}

const forget = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id } = visit.request.params as { readonly id: string }
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
  if (!isUuid || !(await forgetDevice(accounts.database, visit.session.user.id, id))) throw notFound()
  return redirectTo(`${SECURITY_PAGE}?done=forgotten`)
}

/** Where the person was going when a factor was asked of them. */
const leave = ({ pages: { visits } }: AccountParts, visit: SignedInVisit): Answer =>
  redirectTo(takeReturn(visits, visit, SECURITY_PAGE))

export const addSecurityRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(SECURITY_PAGE, visit => showSecurity(parts, visit))
  routes.postSignedIn(`${SECURITY_PAGE}/app/begin`, visit => begin(parts, visit))
  routes.getSignedIn(`${SECURITY_PAGE}/app`, visit => showSetUp(parts, visit))
  routes.postSignedIn(`${SECURITY_PAGE}/app`, visit => acceptSetUp(parts, visit))
  routes.getSignedIn(`${SECURITY_PAGE}/app/remove`, askRemove)
  routes.postSignedIn(`${SECURITY_PAGE}/app/remove`, visit => acceptRemove(parts, visit))
  routes.postSignedIn(`${SECURITY_PAGE}/codes`, visit => renewCodes(parts, visit))
  routes.postSignedIn(`${SECURITY_PAGE}/devices/:id/forget`, visit => forget(parts, visit))
  routes.getSignedIn(`${SECURITY_PAGE}/done`, visit => leave(parts, visit))
}
