// Drafts of registrations: saved by a button or, while somebody types, by our script; continued; discarded.
import { type Draft, discardDraft, findDraft, saveDraft } from '../../../apps/drafts.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { type ConsoleParts, parameterOf } from '../parts.ts'
import { readForm } from '../read-form.ts'
import { DRAFT_FIELD } from './draft-field.ts'

const ownDraft = (visit: SignedInVisit, id: string) => ({ id, userId: visit.session.user.id })

const save = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const own = ownDraft(visit, visit.form.text(DRAFT_FIELD))
  if (!(await saveDraft(database, own, { ...readForm(visit.form) }))) throw notFound()
  return redirectTo('/console?done=draft')
}

const discard = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  if ((await discardDraft(database, ownDraft(visit, parameterOf(visit, 'item')))) === 0) throw notFound()
  return redirectTo('/console')
}

/** The draft that the address names, if it names one. @throws {Fault} `not_found` if it is not theirs. */
export const draftOf = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Draft | undefined> => {
  const id = visit.query.text(DRAFT_FIELD)
  if (id === '') return undefined
  const draft = await findDraft(database, ownDraft(visit, id))
  if (draft === undefined) throw notFound()
  return draft
}

/** It was sent. */
export const dropDraft = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<void> => {
  await discardDraft(database, ownDraft(visit, visit.form.text(DRAFT_FIELD)))
}

export const addDraftRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.postSignedIn('/console/drafts', visit => save(parts, visit))
  routes.postSignedIn('/console/drafts/:item/discard', visit => discard(parts, visit))
}
