// A reviewer's decisions about changes to approved apps.
import { isScope } from '../../access/scopes.ts'
import { findApp } from '../../apps/app.ts'
import { withProposed } from '../../apps/changed-values.ts'
import { type AppChange, changeBefore, findChange } from '../../apps/changes.ts'
import { listMessages } from '../../apps/conversation/messages.ts'
import { listNotes } from '../../apps/conversation/notes.ts'
import { approveChange, offeredScopes, rejectChange } from '../../apps/decide-change.ts'
import { runMachineChecks } from '../../apps/machine-checks.ts'
import { masjidsOfApp } from '../../apps/masjids.ts'
import { nextWaiting } from '../../apps/review-queue.ts'
import { notFound } from '../../http/not-found.ts'
import { actorOf, type ConsoleParts, parameterOf } from '../console/parts.ts'
import { isInsertion, withTemplate } from '../conversation/reason-field.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import { type ReviewChangeParts, reviewChangePage } from './change-page.ts'
import { newsOfApp } from './news.ts'
import { refusedDecision } from './refused-decision.ts'

const changeOf = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<AppChange> => {
  const change = await findChange(database, parameterOf(visit, 'id'))
  if (change === undefined) throw notFound()
  return change
}

type Changed = Partial<Pick<ReviewChangeParts, 'refusal' | 'fault' | 'scopesFault' | 'reason' | 'said' | 'done'>> & {
  readonly status?: number
}

const showChange = async (parts: ConsoleParts, visit: SignedInVisit, changed: Changed = {}): Promise<Answer> => {
  const { database } = parts
  const change = await changeOf(parts, visit)
  const app = await findApp(database, change.appId)
  if (app === undefined) throw notFound()
  const { status, ...rest } = changed
  const after = { ...app, ...withProposed(app, change.proposed) }
  const checks = await runMachineChecks(database, after, visit.session.user.id)
  const scopes = offeredScopes(app, change.proposed)
  const before = await changeBefore(database, change)
  const page = reviewChangePage(visit.view, {
    app,
    change,
    masjids: await masjidsOfApp(database, app.id),
    checks,
    scopes,
    before: before && withProposed(app, before.proposed),
    messages: await listMessages(database, app.id),
    notes: await listNotes(database, app.id),
    next: await nextWaiting(database, visit.session.user.id, change.id),
    ...rest,
  })
  return showPage(page, { status: status ?? 200 })
}

const doneWith = async ({ database }: ConsoleParts, done: string, appId: string): Promise<Answer> => {
  const app = await findApp(database, appId)
  return redirectTo(`/review?${new URLSearchParams({ done, app: app?.name ?? '' })}`)
}

/** Another reviewer was faster, or the owner withdrew it. */
const refuse = (parts: ConsoleParts, visit: SignedInVisit, error: unknown): Promise<Answer> => {
  return showChange(parts, visit, refusedDecision(visit, error))
}

const acceptApproval = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const change = await changeOf(parts, visit)
  const scopes = change.proposed.requestedScopes === undefined ? undefined : visit.form.list('scopes').filter(isScope)
  const words = visit.form.text('words').slice(0, 2000) || undefined
  const { database, baseUrl } = parts
  if (scopes?.length === 0)
    return showChange(parts, visit, { scopesFault: visit.view.texts.review.scopesMissing, status: 422 })
  try {
    const appId = await approveChange(database, { changeId: change.id, actor: actorOf(visit), scopes, words, baseUrl })
    return doneWith(parts, 'change-approved', appId)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptRejection = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const change = await changeOf(parts, visit)
  const reason = visit.form.text('reason').slice(0, 2000)
  const app = isInsertion(visit.form) ? await findApp(parts.database, change.appId) : undefined
  if (app !== undefined) return showChange(parts, visit, { reason: withTemplate(app, visit.form, reason) })
  if (reason === '') return showChange(parts, visit, { fault: visit.view.texts.review.reasonMissing, status: 422 })
  const { database, baseUrl } = parts
  try {
    const appId = await rejectChange(database, { changeId: change.id, actor: actorOf(visit), reason, baseUrl })
    return doneWith(parts, 'change-rejected', appId)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

export const addChangeRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    '/review/changes/:id',
    reviewing(visit => showChange(parts, visit, { done: newsOfApp(visit) })),
  )
  routes.postSignedIn(
    '/review/changes/:id/approve',
    reviewing(visit => acceptApproval(parts, visit)),
  )
  routes.postSignedIn(
    '/review/changes/:id/reject',
    reviewing(visit => acceptRejection(parts, visit)),
  )
}
