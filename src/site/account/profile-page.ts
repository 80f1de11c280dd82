// A user and what was typed → the page with profile, email address and password.
import { languages } from '../../accounts/languages.ts'
import type { ImageStatus } from '../../images/images.ts'
import { passkeyOfferCard } from '../factors/passkey-offer.ts'
import type { View } from '../frame/view.ts'
import { imageField } from '../picture/image-words.ts'
import { avatar } from '../pieces/avatar.ts'
import { submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { dayOf } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { form, passwordField, textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { faultList, notice } from '../pieces/notices.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { textsFor } from '../texts/texts.ts'
import { accountPage } from './account-frame.ts'

export type ProfileNews = 'saved' | 'email_sent' | 'email_changed' | 'password_changed'

type Codes = Readonly<Record<string, string | undefined>>

export interface ProfileParts {
  readonly user: {
    readonly name: string
    readonly email: string
    readonly picture: string | undefined
    readonly createdAt: Date
  }
  readonly profile: {
    readonly name: string
    readonly picture: string
    readonly language: string
    readonly faults: Codes
  }
  /** What became of the picture that is stored. */
  readonly picture: ImageStatus | undefined
  readonly email: { readonly newEmail: string; readonly faults: Codes }
  readonly password: { readonly faults: Codes }
  /** Some people sign in with passkeys or another provider only. */
  readonly hasPassword: boolean
  /** Whether a passkey is offered, as after a sign-in. */
  readonly offersPasskey: boolean
  readonly news: ProfileNews | undefined
}

const newsNotice = (view: View, news: ProfileNews | undefined): Html | undefined => {
  if (news === undefined) return undefined
  const { account, common } = view.texts
  const words: Readonly<Record<ProfileNews, string>> = {
    saved: common.saved,
    email_sent: account.emailSent,
    email_changed: account.emailChanged,
    password_changed: account.passwordChanged,
  }
  return notice({ tone: 'good', text: words[news] })
}

const profileCard = (view: View, { user, profile, picture }: ProfileParts): Html => {
  const { account, common } = view.texts
  const faults = wordsOf(view, profile.faults)
  const status = profile.picture === picture?.address ? picture : undefined
  const stored = imageField(view, account.pictureHint, { status, next: 'save' })
  return html`<section class="card"><div class="asking">${avatar(user.name, user.picture)}<div>
<h2>${account.profileHeading}</h2><p class="soft">${fill(account.memberSince, { date: dayOf(view, user.createdAt) })}</p></div></div>
<p>${account.profileText}</p>
${form(view, {
  action: '/account/profile',
  fields: [
    textField({
      name: 'name',
      label: account.name,
      value: profile.name,
      fault: faults.name,
      attributes: { autocomplete: 'name', maxlength: 100 },
    }),
    textField({
      name: 'picture',
      label: account.picture,
      hint: stored.hint,
      type: 'url',
      optional: common.optional,
      value: profile.picture,
      fault: faults.picture ?? stored.fault,
      attributes: { autocomplete: 'photo', inputmode: 'url', dir: 'ltr' },
    }),
    selectField({
      name: 'language',
      label: account.language,
      hint: account.languageHint,
      fault: faults.language,
      choices: languages.map(value => ({ value, label: textsFor(value).languageName })),
      chosen: [profile.language],
    }),
    submitButton({ text: common.save, look: 'primary' }),
  ],
})}</section>`
}

const emailCard = (view: View, { user, email, hasPassword }: ProfileParts): Html => {
  const { account } = view.texts
  const faults = wordsOf(view, email.faults)
  return html`<section class="card"><h2>${account.emailHeading}</h2>
<p>${fill(account.emailNow, { email: html`<strong><bdi>${user.email}</bdi></strong>` })}</p>
${form(view, {
  action: '/account/email',
  fields: [
    textField({
      name: 'new_email',
      label: account.newEmail,
      hint: account.newEmailHint,
      type: 'email',
      value: email.newEmail,
      fault: faults.email,
      attributes: { autocomplete: 'email', inputmode: 'email', dir: 'ltr' },
    }),
    hasPassword
      ? passwordField({
          name: 'email_password',
          label: account.currentPassword,
          fault: faults.password,
          autocomplete: 'current-password',
        })
      : nothing,
    submitButton({ text: account.changeEmail }),
  ],
})}</section>`
}

const passwordCard = (view: View, { password, hasPassword }: ProfileParts): Html => {
  const { account, signUp, signIn, providers } = view.texts
  if (!hasPassword)
    return html`<section class="card"><h2>${account.passwordHeading}</h2><p>${providers.noPassword} <a href="/forgot-password">${signIn.forgot}</a></p></section>`
  const faults = wordsOf(view, password.faults)
  return html`<section class="card"><h2>${account.passwordHeading}</h2><p>${account.passwordText}</p>
${form(view, {
  action: '/account/password',
  fields: [
    passwordField({
      name: 'current_password',
      label: account.currentPassword,
      fault: faults.current,
      autocomplete: 'current-password',
    }),
    passwordField({
      name: 'new_password',
      label: account.newPassword,
      hint: signUp.passwordHint,
      fault: faults.next,
      autocomplete: 'new-password',
    }),
    submitButton({ text: account.changePassword }),
  ],
})}</section>`
}

/** Every error on the page, by the id of its field. */
const allFaults = (view: View, { profile, email, password }: ProfileParts) => ({
  ...wordsOf(view, profile.faults),
  ...wordsOf(view, { new_email: email.faults.email, email_password: email.faults.password }),
  ...wordsOf(view, { current_password: password.faults.current, new_password: password.faults.next }),
})

export const profilePage = (view: View, parts: ProfileParts): Html =>
  accountPage(view, {
    section: 'profile',
    title: view.texts.account.profileTitle,
    news: newsNotice(view, parts.news),
    main: html`${faultList(view, allFaults(view, parts))}${parts.offersPasskey && passkeyOfferCard(view)}${profileCard(view, parts)}${emailCard(view, parts)}${passwordCard(view, parts)}`,
  })
