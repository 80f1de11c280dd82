// The sign-in in progress → the sign-in page.

import { TAKE_BACK_PAGE } from '../account/take-back/page.ts'
import { passkeyHead } from '../factors/passkey-form.ts'
import { passkeySignIn } from '../factors/passkey-sign-in.ts'
import { page } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { fill } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { type ProviderChoice, providerSignIn } from '../providers/provider-buttons.ts'
import { type DemoAccounts, demoNotice } from './demo-accounts.ts'
import { passwordHead, shownPasswordField } from './password-script.ts'

/** What was just done, shown once on the next page. */
export type SignInNews =
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'password_changed'
  | 'expired_request'
  | 'challenge_expired'
  | 'passkey_refused'
  | `provider_${keyof typeof providerTones}`

/** What came of a sign-in with another provider. */
const providerTones = { away: 'warn', refused: 'bad', denied: 'warn', unknown: 'warn', disabled: 'bad' } as const

export const signInNews: readonly SignInNews[] = [
  'signed_out',
  'signed_out_everywhere',
  'password_changed',
  'challenge_expired',
  'passkey_refused',
  'provider_away',
  'provider_refused',
  'provider_denied',
  'provider_unknown',
  'provider_disabled',
]

export interface SignInParts {
  readonly email: string
  /** Whether the credentials did not match. */
  readonly refused: boolean
  /** Refers to the pending authorization request on the server. */
  readonly request: string | undefined
  /** The app that the person is signing in to. */
  readonly app: string | undefined
  readonly news: SignInNews | undefined
  /** For an authenticator; undefined where passkeys cannot be used. */
  readonly passkey: object | undefined
  /** Other providers to sign in with. */
  readonly providers: readonly ProviderChoice[]
  /** Demo accounts, if there are any. */
  readonly demo: DemoAccounts | undefined
}

export const withRequest = (path: string, request: string | undefined): string =>
  request === undefined ? path : `${path}?${new URLSearchParams({ request })}`

/** The sign-in page, which says what happened. */
export const withNews = (request: string | undefined, news: string): string => {
  const path = withRequest('/sign-in', request)
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ done: news })}`
}

const providerNotice = (view: View, news: SignInNews | undefined): Html | undefined => {
  const [kind, tone] = Object.entries(providerTones).find(([name]) => news === `provider_${name}`) ?? []
  return tone && notice({ tone, text: view.texts.providers[kind as keyof typeof providerTones] })
}

/** Nothing more is undone by itself: who fears a thief is shown what there is. */
const withTakeBack = (view: View, text: string): Html => {
  const { openText, open } = view.texts.takeBack
  return notice({ tone: 'good', text: html`${text}<br>${openText} <a href="${TAKE_BACK_PAGE}">${open}</a>` })
}

const newsNotice = (view: View, news: SignInNews | undefined): Html | undefined => {
  const { signedOut, signedOutEverywhere, passwordChanged, expiredRequest } = view.texts.signIn
  if (news === 'signed_out') return notice({ tone: 'good', text: signedOut })
  if (news === 'signed_out_everywhere') return withTakeBack(view, signedOutEverywhere)
  if (news === 'password_changed') return withTakeBack(view, passwordChanged)
  if (news === 'challenge_expired') return notice({ tone: 'warn', text: view.texts.factors.challengeExpired })
  if (news === 'passkey_refused') return notice({ tone: 'bad', text: view.texts.factors.passkeySignInRefused })
  return news === 'expired_request' ? notice({ tone: 'warn', text: expiredRequest }) : providerNotice(view, news)
}

const signInForm = (view: View, { email, request, passkey }: SignInParts): Html => {
  const { signIn } = view.texts
  return form(view, {
    action: '/sign-in',
    hidden: { request },
    fields: [
      textField({
        name: 'email',
        label: signIn.email,
        type: 'email',
        value: email,
        attributes: {
          autocomplete: passkey === undefined ? 'username' : 'username webauthn',
          inputmode: 'email',
          autofocus: email === '',
          dir: 'ltr',
        },
      }),
      shownPasswordField(view, { name: 'password', label: signIn.password, autocomplete: 'current-password' }),
      html`<p><a href="${withRequest('/forgot-password', request)}">${signIn.forgot}</a></p>`,
      submitButton({ text: signIn.button, look: 'primary', size: 'full' }),
    ],
  })
}

export const signInPage = (view: View, parts: SignInParts): Html => {
  const { signIn } = view.texts
  return page(view, {
    title: signIn.title,
    width: 'narrow',
    ...(parts.app === undefined ? {} : { header: 'minimal' as const }),
    head: html`${passwordHead}${parts.passkey !== undefined && passkeyHead}`,
    main: html`${newsNotice(view, parts.news)}<div class="card">${mark(44, 'card-mark')}
<h1>${signIn.title}</h1>
${parts.app !== undefined && html`<p class="lead">${fill(signIn.toContinue, { app: parts.app })}</p>`}
${parts.refused && notice({ tone: 'bad', text: signIn.refused })}
${signInForm(view, parts)}
${parts.passkey !== undefined && passkeySignIn(view, { options: parts.passkey, request: parts.request, autofill: true })}
${providerSignIn(view, parts.providers, parts.request)}
<p class="aside">${signIn.newHere} <a href="${withRequest('/sign-up', parts.request)}">${signIn.create}</a></p>
</div>${parts.demo !== undefined && demoNotice(view, parts.demo)}`,
  })
}
