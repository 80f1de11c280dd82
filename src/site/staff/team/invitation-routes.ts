// The link of an invitation: who invites to what, and accepting it with the account of the invited address.
import { isInvited } from '../../../accounts/invitee.ts'
import { acceptInvitation, peekInvitation } from '../../../capabilities/invitations.ts'
import { actorOf, parameterOf } from '../../console/parts.ts'
import { page } from '../../frame/layout.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'

type Invited = Awaited<ReturnType<typeof peekInvitation>>

const invitationPage = (view: View, token: string, { masjid, inviter, capabilities }: Invited): Html => {
  const { staffTeam: texts, staff } = view.texts
  const title = fillText(texts.acceptTitle, { masjid })
  return page(view, {
    title,
    width: 'narrow',
    section: 'staff',
    main: html`<div class="card"><h1><bdi>${title}</bdi></h1><p>${fill(texts.acceptText, { inviter, masjid })}</p>
<ul>${capabilities.map(name => html`<li>${staff.capabilities[name]}: ${texts.capabilityHints[name]}</li>`)}</ul>${form(
      view,
      {
        action: `/invitations/${token}`,
        fields: actions(submitButton({ text: texts.accept, look: 'primary' })),
      },
    )}</div>`,
  })
}

/** Says nothing about the invitation: whoever has the link is not the one it was sent to. */
const otherAccountPage = (view: View): Html => {
  const { staffTeam: texts } = view.texts
  return page(view, {
    title: texts.otherAccount,
    width: 'narrow',
    section: 'staff',
    main: html`<div class="card"><h1>${texts.otherAccount}</h1><p>${fill(texts.otherAccountText, { email: view.user?.email ?? '' })}</p></div>`,
  })
}

const REFUSED = { status: 403 }

const showInvitation = async ({ database }: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const token = parameterOf(visit, 'token')
  const invitation = await peekInvitation(database, token)
  if (!isInvited(invitation, visit.session.user)) return showPage(otherAccountPage(visit.view), REFUSED)
  return showPage(invitationPage(visit.view, token, invitation))
}

const accept = async ({ database }: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const token = parameterOf(visit, 'token')
  const invitation = await peekInvitation(database, token)
  if (!isInvited(invitation, visit.session.user)) return showPage(otherAccountPage(visit.view), REFUSED)
  await acceptInvitation(database, token, visit.session.user, actorOf(visit))
  return redirectTo(staffPath(invitation))
}

export const addInvitationRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn('/invitations/:token', visit => showInvitation(parts, visit))
  routes.postSignedIn('/invitations/:token', visit => accept(parts, visit))
}
