// One's own profile, password and requests to change the email address.
import { changePassword, changeProfile } from '../../accounts/change-account.ts'
import { askForEmailChange } from '../../accounts/change-email.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { type ProfileNews, type ProfileParts, profilePage } from './profile-page.ts'

const news: readonly ProfileNews[] = ['saved', 'email_sent', 'email_changed', 'password_changed']

const newsOf = (visit: Visit): ProfileNews | undefined => news.find(name => name === visit.query.text('done'))

const unchanged = (visit: SignedInVisit): ProfileParts => {
  const { user } = visit.session
  return {
    user,
    profile: { name: user.name, picture: user.picture ?? '', language: user.language, faults: {} },
    email: { newEmail: '', faults: {} },
    password: { faults: {} },
    news: newsOf(visit),
  }
}

const refused = (visit: SignedInVisit, changes: Partial<ProfileParts>): Answer =>
  showPage(profilePage(visit.view, { ...unchanged(visit), ...changes }), { status: 422 })

const acceptProfile = async ({ accounts, pages: { visits } }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  const typed = { name: form.text('name'), picture: form.text('picture'), language: form.text('language') }
  const faults = await changeProfile(accounts, session.user, { ...typed, visit: browserOf(visit) })
  if (faults !== undefined) return refused(visit, { profile: { ...typed, faults: { ...faults } } })
  // The cookie would override the choice just made.
  visits.cookies.write(visit.reply, 'language', typed.language)
  return redirectTo('/account?done=saved')
}

const acceptEmail = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  const newEmail = form.text('new_email')
  const input = { email: newEmail, password: form.exact('email_password'), visit: browserOf(visit) }
  const faults = await askForEmailChange(accounts, session.user, input)
  return faults === undefined
    ? redirectTo('/account?done=email_sent')
    : refused(visit, { email: { newEmail, faults: { ...faults } } })
}

const acceptPassword = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  const input = { current: form.exact('current_password'), next: form.exact('new_password'), visit: browserOf(visit) }
  const faults = await changePassword(accounts, session, input)
  return faults === undefined
    ? redirectTo('/account?done=password_changed')
    : refused(visit, { password: { faults: { ...faults } } })
}

export const addProfileRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn('/account', visit => showPage(profilePage(visit.view, unchanged(visit))))
  routes.postSignedIn('/account/profile', visit => acceptProfile(parts, visit))
  routes.postSignedIn('/account/email', visit => acceptEmail(parts, visit))
  routes.postSignedIn('/account/password', visit => acceptPassword(parts, visit))
}
