// Whether an app gets tokens only with a proof of a key: the card on its settings page, and what saves it.
import type { App } from '../../../apps/app.ts'
import { setBoundTokens } from '../../../apps/bound-tokens.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { radioGroup } from '../../pieces/choices.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { appPath } from '../app-frame.ts'
import { actorOf, type ConsoleParts, ownApp } from '../parts.ts'

const choices = ['optional', 'required'] as const

const chosenOf = ({ boundTokens }: App): (typeof choices)[number] => (boundTokens ? 'required' : 'optional')

/** For owners and reviewers. */
export const boundTokenWords = ({ texts }: View, app: App): string => texts.boundTokens.choices[chosenOf(app)]

export const boundTokensPart = (view: View, app: App): Html => {
  const { boundTokens, common } = view.texts
  const group = radioGroup({
    name: 'bound_tokens',
    label: boundTokens.label,
    chosen: [chosenOf(app)],
    choices: choices.map(value => ({ value, label: boundTokens.choices[value] })),
  })
  return html`<section class="card"><h2>${boundTokens.heading}</h2><p>${boundTokens.text}</p>${form(view, {
    action: appPath(app.id, 'bound-tokens'),
    fields: html`${group}${actions(submitButton({ text: common.save }))}`,
  })}</section>`
}

const accept = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const required = visit.form.text('bound_tokens') === 'required'
  await setBoundTokens(parts.database, { appId: app.id, required, actor: actorOf(visit) })
  return redirectTo(`${appPath(app.id, 'settings')}?done=bound_tokens`)
}

export const addBoundTokensRoute = (routes: PageRoutes, parts: ConsoleParts): void =>
  routes.postSignedIn('/console/apps/:id/bound-tokens', visit => accept(parts, visit))
