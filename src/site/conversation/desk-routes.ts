// The reviewers' side of a conversation: request changes, write to the owner, leave a note for other reviewers.
import type { App } from '../../apps/app.ts'
import { findChange } from '../../apps/changes.ts'
import { writeNote } from '../../apps/conversation/notes.ts'
import { LONGEST_MESSAGE, requestChanges, writeToTeam } from '../../apps/conversation/write-message.ts'
import { withoutUnseen } from '../../base/plain-text.ts'
import { actorOf, anyApp, type ConsoleParts } from '../console/parts.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { reviewing } from '../frame/rights.ts'
import { refuse, showApp } from '../review/show-app.ts'
import type { Said } from './desk-parts.ts'
import { isInsertion, withTemplate } from './reason-field.ts'

/** As it will be kept: what nobody can see is no message. */
const typedIn = ({ form }: SignedInVisit): string => withoutUnseen(form.text('body')).trim().slice(0, LONGEST_MESSAGE)

/** The change it is about, if that is one of this app. */
const changeIn = async ({ database }: ConsoleParts, { form }: SignedInVisit, app: App): Promise<string | undefined> => {
  const change = await findChange(database, form.text('change'))
  return change?.appId === app.id ? change.id : undefined
}

const pageOf = (app: App, changeId: string | undefined): string =>
  changeId === undefined ? `/review/apps/${app.id}` : `/review/changes/${changeId}`

const again = (parts: ConsoleParts, visit: SignedInVisit, app: App, said: Said): Promise<Answer> =>
  showApp(parts, visit, { app, said, status: said.fault === undefined ? 200 : 422 })

const acceptRequest = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const [body, field] = [typedIn(visit), 'changes'] as const
  if (isInsertion(visit.form)) {
    return again(parts, visit, app, { field, text: withTemplate(app, visit.form, body) })
  }
  if (body === '') return again(parts, visit, app, { field, text: '', fault: visit.view.texts.review.reasonMissing })
  const changeId = await changeIn(parts, visit, app)
  const revision = Number(visit.form.text('revision')) || 0
  const { database, baseUrl } = parts
  try {
    await requestChanges(database, { appId: app.id, actor: actorOf(visit), body, changeId, revision, baseUrl })
    return redirectTo(`/review?${new URLSearchParams({ done: 'changes-requested', app: app.name })}`)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptMessage = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const body = typedIn(visit)
  const { missing } = visit.view.texts.conversation
  if (body === '') return again(parts, visit, app, { field: 'message', text: '', fault: missing })
  const changeId = await changeIn(parts, visit, app)
  const { database, baseUrl } = parts
  try {
    await writeToTeam(database, { appId: app.id, actor: actorOf(visit), body, changeId, baseUrl })
    return redirectTo(`${pageOf(app, changeId)}?done=written`)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

const acceptNote = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await anyApp(parts, visit)
  const body = typedIn(visit)
  const { missing } = visit.view.texts.conversation.notes
  if (body === '') return again(parts, visit, app, { field: 'note', text: '', fault: missing })
  try {
    await writeNote(parts.database, { appId: app.id, actor: actorOf(visit), body })
    return redirectTo(`${pageOf(app, await changeIn(parts, visit, app))}?done=noted`)
  } catch (error) {
    return refuse(parts, visit, error)
  }
}

export const addDeskConversationRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  const post = (path: string, step: typeof acceptNote): void =>
    routes.postSignedIn(
      `/review/apps/:id/${path}`,
      reviewing(visit => step(parts, visit)),
    )
  post('request-changes', acceptRequest)
  post('messages', acceptMessage)
  post('notes', acceptNote)
}
