// Passkeys of one's own account: added, named, removed; and the password switched off in favour of them.
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { hasPassword, removePassword } from '../../accounts/passkeys/password-off.ts'
import { addPasskey, passkeyCreation, removePasskey } from '../../accounts/passkeys/register-passkey.ts'
import { listPasskeys, type Passkey, renamePasskey } from '../../accounts/passkeys/stored-passkeys.ts'
import { withoutUnseen } from '../../base/plain-text.ts'
import { notFound } from '../../http/not-found.ts'
import { browserName } from '../account/browser-name.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { fillText } from '../pieces/fill.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { passkeyAnswer, showWithPasskeys } from './passkey-form.ts'
import { newPasskeyPage, passkeyPage } from './passkey-pages.ts'
import { recoveryCodesPage } from './set-up-pages.ts'

const PASSKEYS = `${SECURITY_PAGE}/passkeys`

const nameOf = ({ form }: SignedInVisit, fallback: string): string =>
  withoutUnseen(form.text('name')).replaceAll(/\s+/g, ' ').slice(0, 100).trim() || fallback

const showNew = async ({ accounts }: AccountParts, visit: SignedInVisit, refused = false): Promise<Answer> => {
  const options = await passkeyCreation(accounts, visit.session, visit.binding)
  if (options === undefined) throw notFound()
  const name = browserName(visit.view, visit.request.headers['user-agent'])
  return showWithPasskeys(newPasskeyPage(visit.view, { options, name, refused }), { status: refused ? 422 : 200 })
}

const acceptNew = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const response = passkeyAnswer<RegistrationResponseJSON>(visit.form)
  if (response === undefined) return showNew(parts, visit, true)
  const name = nameOf(visit, browserName(visit.view, visit.request.headers['user-agent']))
  const input = { response, name, binding: visit.binding, visit: browserOf(visit) }
  const outcome = await addPasskey(parts.accounts, visit.session, input)
  if (outcome.kind === 'refused') return showNew(parts, visit, true)
  if (outcome.codes === undefined) return redirectTo(`${SECURITY_PAGE}?done=passkey_added`)
  return showWithCopies(recoveryCodesPage(visit.view, outcome.codes, visit.view.texts.factors.passkeyAdded))
}

/** @throws {Fault} `not_found` */
const ownPasskey = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Passkey> => {
  const { id } = visit.request.params as { readonly id: string }
  const passkey = (await listPasskeys(accounts.database, visit.session.user.id)).find(one => one.id === id)
  if (passkey === undefined) throw notFound()
  return passkey
}

const acceptName = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id, userId, name } = await ownPasskey(parts, visit)
  await renamePasskey(parts.accounts.database, { id, userId, name: nameOf(visit, name) })
  return redirectTo(`${SECURITY_PAGE}?done=passkey_named`)
}

const acceptRemove = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id } = await ownPasskey(parts, visit)
  const removed = await removePasskey(parts.accounts, visit.session, { id, visit: browserOf(visit) })
  return redirectTo(`${SECURITY_PAGE}?done=${removed ? 'passkey_removed' : 'passkey_last'}`)
}

const askPasswordOff = ({ view }: SignedInVisit): Answer => {
  const { factors } = view.texts
  return showPage(
    confirmPage(view, {
      title: factors.passwordOffTitle,
      text: fillText(factors.passwordOffText, { email: view.user?.email ?? '' }),
      action: `${SECURITY_PAGE}/password/off`,
      button: factors.passwordOff,
      cancel: SECURITY_PAGE,
      section: 'account',
    }),
  )
}

const acceptPasswordOff = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const removed = await removePassword(accounts, visit.session, browserOf(visit))
  return redirectTo(`${SECURITY_PAGE}${removed ? '?done=password_off' : ''}`)
}

export const readPasskeyState = async ({ accounts }: AccountParts, userId: string) => ({
  available: accounts.passkeys.party !== undefined,
  passkeys: await listPasskeys(accounts.database, userId),
  hasPassword: await hasPassword(accounts, userId),
})

export const addPasskeyRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(`${PASSKEYS}/new`, visit => showNew(parts, visit))
  routes.postSignedIn(`${PASSKEYS}/new`, visit => acceptNew(parts, visit))
  routes.getSignedIn(`${PASSKEYS}/:id`, async visit =>
    showPage(passkeyPage(visit.view, await ownPasskey(parts, visit))),
  )
  routes.postSignedIn(`${PASSKEYS}/:id/name`, visit => acceptName(parts, visit))
  routes.postSignedIn(`${PASSKEYS}/:id/remove`, visit => acceptRemove(parts, visit))
  routes.getSignedIn(`${SECURITY_PAGE}/password/off`, askPasswordOff)
  routes.postSignedIn(`${SECURITY_PAGE}/password/off`, visit => acceptPasswordOff(parts, visit))
}
