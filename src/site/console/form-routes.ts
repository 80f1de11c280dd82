// Registering an app, editing it, and asking for a change: one form, three uses.
import { randomUUID } from 'node:crypto'
import type { App } from '../../apps/app.ts'
import { withProposed } from '../../apps/changed-values.ts'
import { pendingChange, requestChange } from '../../apps/changes.ts'
import { checkRegistration, type Registration } from '../../apps/check-registration.ts'
import { editApp, registerApp } from '../../apps/register.ts'
import { findImageStatus } from '../../images/images.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { emptyForm, formOfApp } from './app-form.ts'
import { appPath } from './app-frame.ts'
import { DRAFT_FIELD } from './drafts/draft-field.ts'
import { draftOf, dropDraft } from './drafts/routes.ts'
import { formPage } from './form-page.ts'
import { actorOf, type ConsoleParts, ownApp, refusalOf } from './parts.ts'
import { readForm } from './read-form.ts'

const REFUSED = { status: 422 }

/** The script saves what is typed. */
const WITH_DRAFTS = { scriptAsks: ["'self'"] }

const showNew = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const draft = await draftOf(parts, visit)
  const values = { ...emptyForm, ...draft?.form }
  return showPage(
    formPage(visit.view, { app: undefined, values, faults: [], draft: draft?.id ?? randomUUID() }),
    WITH_DRAFTS,
  )
}

const acceptNew = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const { database, mode } = parts
  const values = readForm(visit.form)
  const checked = checkRegistration(values, mode)
  const draft = visit.form.text(DRAFT_FIELD)
  if (checked.kind === 'faulty')
    return showPage(formPage(visit.view, { app: undefined, values, faults: checked.faults, draft }), {
      ...REFUSED,
      ...WITH_DRAFTS,
    })
  const { registration } = checked
  const id = await registerApp(database, { ownerId: visit.session.user.id, registration, actor: actorOf(visit) })
  await dropDraft(parts, visit)
  return redirectTo(`${appPath(id)}?done=registered`)
}

const showEdit = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  if (app.state === 'suspended') return redirectTo(appPath(app.id, 'settings'))
  const change = await pendingChange(parts.database, app.id)
  // A pending change is edited, not started over.
  const values = change === undefined ? app : { ...withProposed(app, change.proposed), kind: app.kind }
  const logo = await findImageStatus(parts.database, values.logo)
  const changeWaits = change !== undefined
  return showPage(formPage(visit.view, { app, values: formOfApp(values), faults: [], changeWaits, logo }))
}

interface Edit {
  readonly app: App
  readonly registration: Registration
  readonly reason: string
}

/** @returns the notice for the next page. */
const applyEdit = async (
  { database, baseUrl }: ConsoleParts,
  visit: SignedInVisit,
  { app, registration, reason }: Edit,
): Promise<string> => {
  const input = { appId: app.id, actor: actorOf(visit), registration, baseUrl }
  if (app.state === 'approved') {
    await requestChange(database, { ...input, reason })
    return 'change'
  }
  await editApp(database, input)
  return app.state === 'rejected' || app.changesRequestedAt !== undefined ? 'sent-again' : 'edited'
}

const acceptEdit = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const values = readForm(visit.form)
  const checked = checkRegistration(values, parts.mode)
  if (checked.kind === 'faulty') return showPage(formPage(visit.view, { app, values, faults: checked.faults }), REFUSED)
  try {
    const { registration } = checked
    const done = await applyEdit(parts, visit, { app, registration, reason: values.reason })
    return redirectTo(`${appPath(app.id)}?done=${done}`)
  } catch (error) {
    const refusal = refusalOf(error)
    return showPage(formPage(visit.view, { app, values, faults: [], refusal }), REFUSED)
  }
}

export const addConsoleFormRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn('/console/apps/new', visit => showNew(parts, visit))
  routes.postSignedIn('/console/apps', visit => acceptNew(parts, visit))
  routes.getSignedIn('/console/apps/:id/edit', visit => showEdit(parts, visit))
  routes.postSignedIn('/console/apps/:id/edit', visit => acceptEdit(parts, visit))
}
