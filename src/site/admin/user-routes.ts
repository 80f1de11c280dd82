// Administration of one account: rights, sessions, disabling. Every action is audited.
import { endAllSessions, setDisabled, setRight } from '../../accounts/administer.ts'
import { hasFactor } from '../../accounts/factors/factor-state.ts'
import { resetFactors } from '../../accounts/factors/reset-factors.ts'
import { listSessions } from '../../accounts/sessions.ts'
import { findUserById, type User } from '../../accounts/users.ts'
import { listAppsOfMember } from '../../apps/app.ts'
import { notFound } from '../../http/not-found.ts'
import { actorOf, type ConsoleParts, parameterOf } from '../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { administering } from '../frame/rights.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { fillTitle } from '../pieces/fill.ts'
import { userPage } from './user-page.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const userOf = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<User> => {
  const id = parameterOf(visit, 'id')
  const user = uuid.test(id) ? await findUserById(database, id) : undefined
  if (user === undefined) throw notFound()
  return user
}

const pathOf = ({ id }: User): string => `/admin/users/${id}`

const newsOf = ({ view, query }: SignedInVisit): string | undefined => {
  const { user: texts } = view.texts.admin
  const words = { yes: texts.done, disabled: texts.disabledNow, enabled: texts.enabledNow }
  return words[query.text('done') as keyof typeof words]
}

const showUser = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  const sessions = (await listSessions(parts.database, user.id)).length
  const apps = await listAppsOfMember(parts.database, user.id)
  const factor = await hasFactor(parts.database, user.id)
  return showPage(userPage(visit.view, { user, sessions, hasFactor: factor, apps, done: newsOf(visit) }))
}

const acceptRight = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  const right = visit.form.text('right') === 'admin' ? 'admin' : 'reviewer'
  const given = visit.form.text('given') === 'yes'
  await setRight(parts.database, { userId: user.id, actor: actorOf(visit), right, given })
  return redirectTo(`${pathOf(user)}?done=yes`)
}

const acceptDisabled = async (parts: ConsoleParts, visit: SignedInVisit, disabled: boolean): Promise<Answer> => {
  const user = await userOf(parts, visit)
  await setDisabled(parts.database, { userId: user.id, actor: actorOf(visit), disabled })
  return redirectTo(`${pathOf(user)}?done=${disabled ? 'disabled' : 'enabled'}`)
}

const acceptEndSessions = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  await endAllSessions(parts.database, { userId: user.id, actor: actorOf(visit) })
  return redirectTo(`${pathOf(user)}?done=yes`)
}

const acceptResetFactors = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  await resetFactors(parts, { userId: user.id, actor: actorOf(visit) })
  return redirectTo(`${pathOf(user)}?done=yes`)
}

const askResetFactors = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  const { user: texts } = visit.view.texts.admin
  return showPage(
    confirmPage(visit.view, {
      title: fillTitle(texts.resetFactorsTitle, { name: user.name }),
      text: texts.resetFactorsText,
      action: `${pathOf(user)}/reset-factors`,
      button: texts.resetFactors,
      cancel: pathOf(user),
      section: 'admin',
    }),
  )
}

const askDisable = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  const { user: texts } = visit.view.texts.admin
  return showPage(
    confirmPage(visit.view, {
      title: fillTitle(texts.disableTitle, { name: user.name }),
      text: texts.disableText,
      action: `${pathOf(user)}/disable`,
      button: texts.disable,
      cancel: pathOf(user),
      section: 'admin',
    }),
  )
}

const askEndSessions = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const user = await userOf(parts, visit)
  const { user: texts } = visit.view.texts.admin
  return showPage(
    confirmPage(visit.view, {
      title: fillTitle(texts.endSessionsTitle, { name: user.name }),
      text: texts.endSessionsText,
      action: `${pathOf(user)}/end-sessions`,
      button: texts.endSessions,
      cancel: pathOf(user),
      section: 'admin',
    }),
  )
}

export const addAdminUserRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  type Step = (parts: ConsoleParts, visit: SignedInVisit) => Promise<Answer>
  const get = (path: string, step: Step): void =>
    routes.getSignedIn(
      `/admin/users/:id${path}`,
      administering(visit => step(parts, visit)),
    )
  const post = (path: string, step: Step): void =>
    routes.postSignedIn(
      `/admin/users/:id${path}`,
      administering(visit => step(parts, visit)),
    )
  get('', showUser)
  post('/rights', acceptRight)
  get('/end-sessions', askEndSessions)
  post('/end-sessions', acceptEndSessions)
  get('/reset-factors', askResetFactors)
  post('/reset-factors', acceptResetFactors)
  get('/disable', askDisable)
  post('/disable', (shared, visit) => acceptDisabled(shared, visit, true))
  post('/enable', (shared, visit) => acceptDisabled(shared, visit, false))
}
