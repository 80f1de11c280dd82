// After a sign-in: the offer of a passkey, which can be declined for good.
import { endPasskeyOffer } from '../../accounts/passkeys/offer-passkey.ts'
import { redirectTo } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import type { AccountParts } from '../sign-in/account-parts.ts'

const DECLINE = `${SECURITY_PAGE}/passkeys/offer/decline`

export const passkeyOfferCard = (view: View): Html => {
  const { factors } = view.texts
  return html`<section class="card"><h2>${factors.offerHeading}</h2><p>${factors.passkeysText}</p>
${actions(
  linkButton({ href: `${SECURITY_PAGE}/passkeys/new`, text: factors.passkeyAdd, look: 'primary' }),
  form(view, { action: DECLINE, fields: submitButton({ text: factors.offerDecline }) }),
)}</section>`
}

export const addPasskeyOfferRoutes = (routes: PageRoutes, { accounts }: AccountParts): void =>
  routes.postSignedIn(DECLINE, async visit => {
    await endPasskeyOffer(accounts.database, visit.session.user.id)
    return redirectTo('/account')
  })
