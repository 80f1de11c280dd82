// The team's side of a conversation: read it, answer, and return the app to review.
import type { App } from '../../apps/app.ts'
import { pendingChange } from '../../apps/changes.ts'
import { listMessages } from '../../apps/conversation/messages.ts'
import { LONGEST_MESSAGE, sendBack, writeToReviewers } from '../../apps/conversation/write-message.ts'
import { withoutUnseen } from '../../base/plain-text.ts'
import { actorOf, type ConsoleParts, ownApp, refusalOf } from '../console/parts.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { messagesPath, type TeamConversation, teamConversationPage } from './team-page.ts'

type Changed = Partial<Pick<TeamConversation, 'typed' | 'fault' | 'refusal' | 'done'>>

const show = async (
  { database }: ConsoleParts,
  { view }: SignedInVisit,
  app: App,
  changed: Changed = {},
): Promise<Answer> => {
  const messages = await listMessages(database, app.id)
  const change = await pendingChange(database, app.id)
  const refused = changed.fault !== undefined || changed.refusal !== undefined
  return showWithCopies(teamConversationPage(view, { app, change, messages, ...changed }), {
    status: refused ? 422 : 200,
  })
}

const newsOf = ({ view, query }: SignedInVisit): string | undefined =>
  Object.entries(view.texts.conversation.done).find(([name]) => name === query.text('done'))?.[1]

const write = async (parts: ConsoleParts, visit: SignedInVisit, app: App, body: string): Promise<string> => {
  const { database, baseUrl } = parts
  const input = { appId: app.id, actor: actorOf(visit), body, baseUrl }
  if (visit.form.text('action') !== 'send-back') {
    await writeToReviewers(database, input)
    return 'sent'
  }
  const change = app.state === 'approved' ? await pendingChange(database, app.id) : undefined
  await sendBack(database, { ...input, changeId: change?.id })
  return 'back'
}

const accept = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const typed = withoutUnseen(visit.form.text('body')).trim().slice(0, LONGEST_MESSAGE)
  if (typed === '') return show(parts, visit, app, { fault: visit.view.texts.conversation.missing })
  try {
    return redirectTo(`${messagesPath(app.id)}?done=${await write(parts, visit, app, typed)}`)
  } catch (error) {
    return show(parts, visit, app, { typed, refusal: refusalOf(error) })
  }
}

export const addTeamConversationRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  const path = '/console/apps/:id/messages'
  routes.getSignedIn(path, async visit => show(parts, visit, await ownApp(parts, visit), { done: newsOf(visit) }))
  routes.postSignedIn(path, visit => accept(parts, visit))
}
