// An app's conversation with its reviewers, for its team.
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { AppMessage } from '../../apps/conversation/messages.ts'
import { mayDo } from '../../apps/team/roles.ts'
import { appFrame, appPath } from '../console/app-frame.ts'
import type { View } from '../frame/view.ts'
import { actions, submitButton } from '../pieces/buttons.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { faultList, notice } from '../pieces/notices.ts'
import { isAsked } from './is-asked.ts'
import { messageThread } from './thread.ts'

export interface TeamConversation {
  readonly app: App
  /** Its pending change. */
  readonly change: AppChange | undefined
  readonly messages: readonly AppMessage[]
  readonly typed?: string
  readonly fault?: string | undefined
  readonly refusal?: string | undefined
  readonly done?: string | undefined
}

export const messagesPath = (appId: string): string => appPath(appId, 'messages')

const writeForm = (view: View, { app, change, typed, fault }: TeamConversation): Html => {
  const { conversation } = view.texts
  const asked = isAsked(app, change)
  const field = textArea({
    name: 'body',
    label: conversation.yourMessage,
    hint: conversation.toReviewersHint,
    value: typed,
    fault,
  })
  const send = submitButton({ text: conversation.send, look: asked ? 'plain' : 'primary' })
  const back = submitButton({ text: conversation.sendBack, look: 'primary', name: 'action', value: 'send-back' })
  return form(view, {
    action: messagesPath(app.id),
    fields: html`${field}${asked ? actions(back, send) : actions(send)}`,
  })
}

const askedNotice = ({ texts }: View, app: App): Html => {
  const { requested, sendBackHint, edit } = texts.conversation
  return notice({
    tone: 'warn',
    title: requested,
    text: html`${sendBackHint} <a href="${appPath(app.id, 'edit')}">${edit}</a>`,
  })
}

export const teamConversationPage = (view: View, parts: TeamConversation): Html => {
  const { conversation } = view.texts
  const { app, change, messages, fault, refusal, done } = parts
  const may = mayDo(app.role, 'develop')
  return appFrame(view, {
    app,
    section: 'messages',
    done,
    faulty: fault !== undefined,
    main: html`${faultList(view, { body: fault })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<p class="lead">${conversation.lead}</p>${isAsked(app, change) && askedNotice(view, app)}
<section class="card">${messageThread(view, messages)}${may ? writeForm(view, parts) : html`<p class="soft">${conversation.onlyReading}</p>`}</section>`,
  })
}
