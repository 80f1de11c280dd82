// The link of an invitation: who invites to which team, and accepting it with the account of the invited address.
import { isInvited } from '../../../accounts/invitee.ts'
import { acceptTeamInvitation, type OpenTeamInvitation, peekTeamInvitation } from '../../../apps/team/invitations.ts'
import { page } from '../../frame/layout.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { actorOf, type ConsoleParts, parameterOf } from '../parts.ts'
import { teamPath } from './page.ts'

const INVITATION = '/console/invitations'

const narrow = (view: View, title: string, main: Html): Html =>
  page(view, {
    title,
    width: 'narrow',
    section: 'console',
    main: html`<div class="card"><h1><bdi>${title}</bdi></h1>${main}</div>`,
  })

const invitationPage = (view: View, token: string, { app, inviter, role }: OpenTeamInvitation): Html => {
  const { team } = view.texts
  return narrow(
    view,
    fillText(team.acceptTitle, { app }),
    html`<p>${fill(team.acceptText, { inviter, app })}</p><p><strong>${team.roles[role]}</strong>: ${team.roleHints[role]}</p>
${form(view, { action: `${INVITATION}/${token}`, fields: actions(submitButton({ text: team.accept, look: 'primary' })) })}`,
  )
}

/** Says nothing about the invitation: whoever has the link is not the one it was sent to. */
const otherAccountPage = (view: View): Html => {
  const { team } = view.texts
  return narrow(view, team.otherAccount, html`<p>${fill(team.otherAccountText, { email: view.user?.email ?? '' })}</p>`)
}

const REFUSED = { status: 403 }

const invited =
  (
    { database }: ConsoleParts,
    work: (visit: SignedInVisit, token: string, open: OpenTeamInvitation) => Promise<Answer>,
  ) =>
  async (visit: SignedInVisit): Promise<Answer> => {
    const token = parameterOf(visit, 'token')
    const open = await peekTeamInvitation(database, token)
    if (!isInvited(open, visit.session.user)) return showPage(otherAccountPage(visit.view), REFUSED)
    return work(visit, token, open)
  }

export const addTeamInvitationRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    `${INVITATION}/:token`,
    invited(parts, async ({ view }, token, open) => showPage(invitationPage(view, token, open))),
  )
  routes.postSignedIn(
    `${INVITATION}/:token`,
    invited(parts, async (visit, token) => {
      const { user } = visit.session
      const appId = await acceptTeamInvitation(parts.database, token, { user, actor: actorOf(visit) })
      return redirectTo(teamPath(appId, '?done=joined'))
    }),
  )
}
