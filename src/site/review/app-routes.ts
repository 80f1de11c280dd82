// A reviewer's decisions about one app: approve, perhaps with fewer scopes; reject; suspend; reinstate.
import { isClaim } from '../../access/claims.ts'
import { isScope, isWriteScope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import { approveApp, rejectApp } from '../../apps/decide.ts'
import { changeMasjids } from '../../apps/masjids.ts'
import { setPlainClaims } from '../../apps/plain-claims.ts'
import { reinstateApp, suspendApp } from '../../apps/stop.ts'
import { actorOf, anyApp, type ConsoleParts } from '../console/parts.ts'
import { isInsertion, withTemplate } from '../conversation/reason-field.ts'
import type { FormValues } from '../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import type { ReviewAppParts } from './app-page.ts'
import { type ApproveValues, approveAll } from './approve-form.ts'
import { choiceOf, listedMasjids, masjidFaults, readMasjidValues } from './masjid-fields.ts'
import { newsOfApp } from './news.ts'
import { refuse, showApp } from './show-app.ts'
import { suspendPage } from './suspend-page.ts'

const readApproval = (form: FormValues): ApproveValues => ({
  ...readMasjidValues(form),
  scopes: form.list('scopes'),
  claims: form.list('claims'),
  words: form.text('words').slice(0, 2000),
})

const approvalFaults = ({ view }: SignedInVisit, values: ApproveValues): ReviewAppParts['faults'] => {
  const writes = values.scopes.filter(isScope).some(isWriteScope)
  return {
    ...(values.scopes.length === 0 ? { scopes: view.texts.review.scopesMissing } : {}),
    ...masjidFaults(view.texts, values, writes),
  }
}

const approve = (parts: ConsoleParts, visit: SignedInVisit, app: App, values: ApproveValues): Promise<string> =>
  approveApp(parts.database, {
    appId: app.id,
    actor: actorOf(visit),
    scopes: values.scopes.filter(isScope),
    plainClaims: values.claims.filter(isClaim),
    masjids: choiceOf(values),
    words: values.words === '' ? undefined : values.words,
    revision: Number(visit.form.text('revision')) || 0,
    baseUrl: parts.baseUrl,
  })

const doneWith = (done: string, app: App): Answer =>
  redirectTo(`/review?${new URLSearchParams({ done, app: app.name })}`)

const acceptApproval = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const values = readApproval(visit.form)
  const listed = await listedMasjids(parts.database, values)
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

const acceptRejection = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const reason = visit.form.text('reason').slice(0, 2000)
  if (isInsertion(visit.form)) return showApp(parts, visit, { app, reason: withTemplate(app, visit.form, reason) })
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

const acceptMasjids = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const values = { ...approveAll([]), ...readMasjidValues(visit.form) }
  const listed = await listedMasjids(parts.database, values)
  if (visit.form.text('action') === 'find') return showApp(parts, visit, { app, values, listed })
  const faults = masjidFaults(visit.view.texts, values, app.scopes.some(isWriteScope))
  if (Object.keys(faults).length > 0) return showApp(parts, visit, { app, values, listed, faults, status: 422 })
  try {
    await changeMasjids(parts.database, { appId: app.id, actor: actorOf(visit), choice: choiceOf(values) })
    return doneWith('masjids-changed', app)
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
    reviewing(async visit => showApp(parts, visit, { app: await anyApp(parts, visit), done: newsOfApp(visit) })),
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
  routes.postSignedIn(
    '/review/apps/:id/masjids',
    reviewing(visit => acceptMasjids(parts, visit)),
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
