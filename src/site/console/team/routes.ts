// The team of an app: invited, given another role, removed, left. Who may do what is checked where every page's app is found.
import { checkEmail } from '../../../accounts/email-rules.ts'
import type { App } from '../../../apps/app.ts'
import { inviteToTeam, listTeamInvitations, withdrawTeamInvitation } from '../../../apps/team/invitations.ts'
import { changeRole, leaveTeam, listMembers, type Member, removeMember } from '../../../apps/team/members.ts'
import { isTeamRole } from '../../../apps/team/roles.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { showWithCopies } from '../../pieces/copy/copy.ts'
import { fillTitle } from '../../pieces/fill.ts'
import { actorOf, type ConsoleParts, ownApp, parameterOf, refusalOf } from '../parts.ts'
import { addTeamInvitationRoutes } from './invitation-routes.ts'
import { type TeamParts, teamPage, teamPath } from './page.ts'

type Changed = Partial<Pick<TeamParts, 'typed' | 'fault' | 'refusal' | 'done'>>

const show = async (
  { database }: ConsoleParts,
  { view }: SignedInVisit,
  app: App,
  changed: Changed = {},
): Promise<Answer> => {
  const [members, invitations] = [await listMembers(database, app.id), await listTeamInvitations(database, app.id)]
  const typed = { email: '', role: 'developer' }
  const refused = changed.fault !== undefined || changed.refusal !== undefined
  const page = teamPage(view, { app, members, invitations, typed, ...changed })
  return showWithCopies(page, { status: refused ? 422 : 200 })
}

const newsOf = ({ view, query }: SignedInVisit): string | undefined =>
  Object.entries(view.texts.team.done).find(([name]) => name === query.text('done'))?.[1]

/** A rule that forbids it is shown on the page of the team. */
const doing = async (
  parts: ConsoleParts,
  visit: SignedInVisit,
  { app, done, work }: { readonly app: App; readonly done: string; readonly work: () => Promise<void> },
): Promise<Answer> => {
  try {
    await work()
  } catch (error) {
    return show(parts, visit, app, { refusal: refusalOf(error) })
  }
  return redirectTo(teamPath(app.id, `?done=${done}`))
}

const acceptInvite = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const typed = { email: visit.form.text('email').trim(), role: visit.form.text('role') }
  const { role } = typed
  if (checkEmail(typed.email) !== undefined || !isTeamRole(role))
    return show(parts, visit, app, { typed, fault: 'emailWrong' })
  const { user: inviter } = visit.session
  const input = { appId: app.id, actor: actorOf(visit), app: app.name, inviter, email: typed.email, role }
  const { baseUrl, database } = parts
  const work = () => inviteToTeam(database, { ...input, language: visit.view.language, baseUrl })
  return doing(parts, visit, { app, done: 'invited', work })
}

const acceptWithdraw = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const owner = { appId: app.id, actor: actorOf(visit) }
  const work = () => withdrawTeamInvitation(parts.database, owner, parameterOf(visit, 'item'))
  return doing(parts, visit, { app, done: 'withdrawn', work })
}

const memberIn = async ({ database }: ConsoleParts, visit: SignedInVisit, app: App): Promise<Member> => {
  const member = (await listMembers(database, app.id)).find(({ userId }) => userId === parameterOf(visit, 'item'))
  if (member === undefined) throw notFound()
  return member
}

const changeOf = (visit: SignedInVisit, app: App, { userId }: Member) => ({
  appId: app.id,
  userId,
  actor: actorOf(visit),
})

const acceptRole = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const change = changeOf(visit, app, await memberIn(parts, visit, app))
  const role = visit.form.text('role')
  if (!isTeamRole(role)) throw notFound()
  return doing(parts, visit, { app, done: 'changed', work: () => changeRole(parts.database, change, role) })
}

const askRemove = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const { name, userId } = await memberIn(parts, visit, app)
  const { team } = visit.view.texts
  return showPage(
    confirmPage(visit.view, {
      title: fillTitle(team.removeTitle, { name }),
      text: team.removeText,
      action: teamPath(app.id, `/${userId}/remove`),
      button: team.remove,
      cancel: teamPath(app.id),
      section: 'console',
    }),
  )
}

const acceptRemove = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const change = changeOf(visit, app, await memberIn(parts, visit, app))
  return doing(parts, visit, { app, done: 'removed', work: () => removeMember(parts.database, change) })
}

const askLeave = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const { team } = visit.view.texts
  return showPage(
    confirmPage(visit.view, {
      title: fillTitle(team.leaveTitle, { app: app.name }),
      text: team.leaveText,
      action: teamPath(app.id, '/leave'),
      button: team.leave,
      cancel: teamPath(app.id),
      section: 'console',
    }),
  )
}

const acceptLeave = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  try {
    await leaveTeam(parts.database, { appId: app.id, actor: actorOf(visit) })
  } catch (error) {
    return show(parts, visit, app, { refusal: refusalOf(error) })
  }
  return redirectTo('/console')
}

export const addTeamRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  const base = '/console/apps/:id/team'
  routes.getSignedIn(base, async visit => show(parts, visit, await ownApp(parts, visit), { done: newsOf(visit) }))
  routes.postSignedIn(`${base}/invite`, visit => acceptInvite(parts, visit))
  routes.postSignedIn(`${base}/invitations/:item/withdraw`, visit => acceptWithdraw(parts, visit))
  routes.postSignedIn(`${base}/:item/role`, visit => acceptRole(parts, visit))
  routes.getSignedIn(`${base}/:item/remove`, visit => askRemove(parts, visit))
  routes.postSignedIn(`${base}/:item/remove`, visit => acceptRemove(parts, visit))
  routes.getSignedIn(`${base}/leave`, visit => askLeave(parts, visit))
  routes.postSignedIn(`${base}/leave`, visit => acceptLeave(parts, visit))
  addTeamInvitationRoutes(routes, parts)
}
