// One's own profile, password and requests to change the email address.
import { changePassword, changeProfile } from '../../accounts/change-account.ts'
import { askForEmailChange } from '../../accounts/change-email.ts'
import { isPasskeyOffered } from '../../accounts/passkeys/offer-passkey.ts'
import { hasPassword } from '../../accounts/passkeys/password-off.ts'
import { findImageStatus } from '../../images/images.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { type ProfileNews, type ProfileParts, profilePage } from './profile-page.ts'

const news: readonly ProfileNews[] = ['saved', 'email_sent', 'email_changed', 'password_changed']

const newsOf = (visit: Visit): ProfileNews | undefined => news.find(name => name === visit.query.text('done'))

const unchanged = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<ProfileParts> => {
  const { user } = visit.session
  return {
    user,
    profile: { name: user.name, picture: user.picture ?? '', language: user.language, faults: {} },
    picture: await findImageStatus(accounts.database, user.picture),
    email: { newEmail: '', faults: {} },
    password: { faults: {} },
    hasPassword: await hasPassword(accounts, user.id),
    offersPasskey: await isPasskeyOffered(accounts, visit.session),
    news: newsOf(visit),
  }
}

const refused = async (parts: AccountParts, visit: SignedInVisit, changes: Partial<ProfileParts>): Promise<Answer> =>
  showPage(profilePage(visit.view, { ...(await unchanged(parts, visit)), ...changes }), { status: 422 })

const acceptProfile = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { accounts, pages } = parts
  const { form, session } = visit
  const typed = { name: form.text('name'), picture: form.text('picture'), language: form.text('language') }
  const faults = await changeProfile(accounts, session.user, { ...typed, visit: browserOf(visit) })
  if (faults !== undefined) return refused(parts, visit, { profile: { ...typed, faults: { ...faults } } })
  // The cookie would override the choice just made.
  pages.visits.cookies.write(visit.reply, 'language', typed.language)
  return redirectTo('/account?done=saved')
}

const acceptEmail = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  const newEmail = form.text('new_email')
  const input = { email: newEmail, password: form.exact('email_password'), visit: browserOf(visit) }
  const faults = await askForEmailChange(parts.accounts, session, input)
  return faults === undefined
    ? redirectTo('/account?done=email_sent')
    : refused(parts, visit, { email: { newEmail, faults: { ...faults } } })
}

const acceptPassword = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  const input = { current: form.exact('current_password'), next: form.exact('new_password'), visit: browserOf(visit) }
  const faults = await changePassword(parts.accounts, session, input)
  return faults === undefined
    ? redirectTo('/account?done=password_changed')
    : refused(parts, visit, { password: { faults: { ...faults } } })
}

export const addProfileRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn('/account', async visit => showPage(profilePage(visit.view, await unchanged(parts, visit))))
  routes.postSignedIn('/account/profile', visit => acceptProfile(parts, visit))
  routes.postSignedIn('/account/email', visit => acceptEmail(parts, visit))
  routes.postSignedIn('/account/password', visit => acceptPassword(parts, visit))
}
