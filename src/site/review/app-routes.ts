// A reviewer's decisions about one app: approve, perhaps with fewer scopes; reject; suspend; reinstate.
import { isClaim } from '../../access/claims.ts'
import { isScope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import { listChanges } from '../../apps/changes.ts'
import { approveApp, rejectApp } from '../../apps/decide.ts'
import { listMoves } from '../../apps/history.ts'
import { runMachineChecks } from '../../apps/machine-checks.ts'
import { masjidsOfApp } from '../../apps/masjids.ts'
import { setPlainClaims } from '../../apps/plain-claims.ts'
import { type FoundMasjid, findMasjids, masjidsByIds } from '../../apps/review-queue.ts'
import { sinceLastDecision } from '../../apps/since-last-decision.ts'
import { reinstateApp, suspendApp } from '../../apps/stop.ts'
import { actorOf, anyApp, type ConsoleParts } from '../console/parts.ts'
import type { FormValues } from '../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import { type ReviewAppParts, reviewAppPage } from './app-page.ts'
import { type ApproveValues, approveAll } from './approve-form.ts'
import { refusedDecision } from './refused-decision.ts'
import { suspendPage } from './suspend-page.ts'

type Changed = Partial<Pick<ReviewAppParts, 'values' | 'listed' | 'faults' | 'refusal' | 'rejectFault' | 'reason'>>

const showApp = async (
  { database }: ConsoleParts,
  visit: SignedInVisit,
  { app, status, ...changed }: Changed & { readonly app: App; readonly status?: number },
): Promise<Answer> => {
  const moves = await listMoves(database, app.id)
  const page = reviewAppPage(visit.view, {
    app,
    masjids: await masjidsOfApp(database, app.id),
    moves,
    changes: await listChanges(database, app.id),
    checks: await runMachineChecks(database, app, visit.session.user.id),
    since: sinceLastDecision(app, moves),
    values: approveAll(app.requestedScopes),
    listed: [],
    faults: {},
    ...changed,
  })
  return showPage(page, { status: status ?? 200 })
}

const readApproval = (form: FormValues): ApproveValues => ({
  scopes: form.list('scopes'),
  claims: form.list('claims'),
  reach: form.text('reach') === 'some' ? 'some' : 'all',
  masjids: form.list('masjids'),
  own: form.list('own'),
  find: form.text('find'),
  words: form.text('words').slice(0, 2000),
})

/** Chosen masjids stay on the page across searches. */
const listedMasjids = async ({ database }: ConsoleParts, values: ApproveValues): Promise<FoundMasjid[]> => {
  const chosen = await masjidsByIds(database, [...values.masjids, ...values.own])
  const found = values.find === '' ? [] : await findMasjids(database, values.find)
  return [...chosen, ...found.filter(({ id }) => !chosen.some(masjid => masjid.id === id))]
}

const approvalFaults = ({ view }: SignedInVisit, values: ApproveValues): ReviewAppParts['faults'] => {
  const { review } = view.texts
  const nowhere = values.reach === 'some' && values.masjids.length + values.own.length === 0
  return {
    ...(values.scopes.length === 0 ? { scopes: review.scopesMissing } : {}),
    ...(nowhere ? { masjids: review.masjidsMissing } : {}),
  }
}

const approve = (parts: ConsoleParts, visit: SignedInVisit, app: App, values: ApproveValues): Promise<string> =>
  approveApp(parts.database, {
    appId: app.id,
    actor: actorOf(visit),
    scopes: values.scopes.filter(isScope),
    plainClaims: values.claims.filter(isClaim),
    masjids: { only: values.reach === 'all' ? '*' : values.masjids, own: values.own },
    words: values.words === '' ? undefined : values.words,
    revision: Number(visit.form.text('revision')) || 0,
    baseUrl: parts.baseUrl,
  })

const doneWith = (done: string, app: App): Answer =>
  redirectTo(`/review?${new URLSearchParams({ done, app: app.name })}`)

const acceptApproval = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const values = readApproval(visit.form)
  const listed = await listedMasjids(parts, values)
  if (visit.form.text('action') === 'find') return showApp(parts, visit, { app, values, listed })
  const faults = approvalFaults(visit, values)
  if (Object.keys(faults).length > 0) return showApp(parts, visit, { app, values, listed, faults, status: 422 })
  try {
    await approve(parts, visit, app, values)
    return doneWith('approved', app)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

/** Another reviewer was faster, or the owner edited the app: the page shows its current state. */
const refuse = async (parts: ConsoleParts, visit: SignedInVisit, error: unknown): Promise<Answer> => {
  return showApp(parts, visit, { app: await anyApp(parts, visit), ...refusedDecision(visit, error) })
}

const acceptRejection = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const reason = visit.form.text('reason').slice(0, 2000)
  if (reason === '') {
    const rejectFault = visit.view.texts.review.reasonMissing
    return showApp(parts, visit, { app, rejectFault, status: 422 })
  }
  const revision = Number(visit.form.text('revision')) || 0
  try {
    await rejectApp(parts.database, { appId: app.id, actor: actorOf(visit), reason, revision, baseUrl: parts.baseUrl })
    return doneWith('rejected', app)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptClaims = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const claims = visit.form.list('claims').filter(isClaim)
  try {
    await setPlainClaims(parts.database, { appId: app.id, actor: actorOf(visit), claims })
    return doneWith('claims-changed', app)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptSuspension = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const reason = visit.form.text('reason').slice(0, 2000)
  if (reason === '')
    return showPage(suspendPage(visit.view, app, visit.view.texts.review.reasonMissing), { status: 422 })
  try {
    await suspendApp(parts.database, { appId: app.id, actor: actorOf(visit), reason, baseUrl: parts.baseUrl })
    return doneWith('suspended', app)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptReinstatement = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  try {
    await reinstateApp(parts.database, { appId: app.id, actor: actorOf(visit), baseUrl: parts.baseUrl })
    return doneWith('reinstated', app)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

export const addReviewAppRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    '/review/apps/:id',
    reviewing(async visit => showApp(parts, visit, { app: await anyApp(parts, visit) })),
  )
  routes.postSignedIn(
    '/review/apps/:id/approve',
    reviewing(visit => acceptApproval(parts, visit)),
  )
  routes.postSignedIn(
    '/review/apps/:id/reject',
    reviewing(visit => acceptRejection(parts, visit)),
  )
  routes.postSignedIn(
    '/review/apps/:id/claims',
    reviewing(visit => acceptClaims(parts, visit)),
  )
  routes.getSignedIn(
    '/review/apps/:id/suspend',
    reviewing(async visit => showPage(suspendPage(visit.view, await anyApp(parts, visit)))),
  )
  routes.postSignedIn(
    '/review/apps/:id/suspend',
    reviewing(visit => acceptSuspension(parts, visit)),
  )
  routes.postSignedIn(
    '/review/apps/:id/reinstate',
    reviewing(visit => acceptReinstatement(parts, visit)),
  )
}
