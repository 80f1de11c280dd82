// The texts and whose apps there are → the explorer's tools: the builder, the history, and the saved queries of an app.

import type { View } from '../frame/view.ts'
import { antiForgeryField } from '../pieces/form.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import type { ExplorerTexts } from './texts.ts'

interface SavingApp {
  readonly id: string
  readonly name: string
  /** Whether this member of its team saves and deletes. */
  readonly maySave: boolean
}

/** `elsewhere`: on the host of the sandbox, which knows no sign-in. */
export type Saving =
  | { readonly kind: 'elsewhere'; readonly explorerUrl: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'apps'; readonly apps: readonly SavingApp[] }

const tool = (id: string, text: string): Html =>
  html`<button type="button" class="tool" data-tool="${id}" aria-expanded="false" aria-controls="${id}">${text}</button>`

export const toolButtons = (texts: ExplorerTexts): Html =>
  html`<section class="tools" aria-label="${texts.tools}">${tool('builder', texts.build)}${tool('history', texts.history)}${tool('saved', texts.saved)}
<button type="button" class="tool" id="share">${texts.copyLink}</button></section>`

const builder = (texts: ExplorerTexts): Html =>
  html`<section id="builder" class="panel" aria-labelledby="builder-title" hidden><h2 id="builder-title">${texts.buildTitle}</h2>
<p class="soft small">${texts.buildLead}</p>
<input type="search" id="builder-find" aria-label="${texts.find}" placeholder="${texts.find}" autocomplete="off" spellcheck="false">
<p id="builder-state" class="soft small" aria-live="polite"></p>
<div id="builder-tree" class="builder-tree"></div></section>`

const history = (texts: ExplorerTexts): Html =>
  html`<section id="history" class="panel" aria-labelledby="history-title" hidden><h2 id="history-title">${texts.historyTitle}</h2>
<div id="history-list"></div></section>`

const savingForm = (view: View, texts: ExplorerTexts, apps: readonly SavingApp[]): Html =>
  html`<form id="saving" action="/console/apps" method="post">${antiForgeryField(view)}
<label><span>${texts.app}</span><select name="app">${apps.map(
    ({ id, name, maySave }) =>
      html`<option value="${id}"${attributes({ 'data-may-save': maySave && 'yes' })}>${name}</option>`,
  )}</select></label>
<div id="saving-new"><label><span>${texts.queryName}</span><input name="name" maxlength="100" autocomplete="off" dir="auto"></label>
<button class="button small">${texts.save}</button></div>
<p id="saving-viewer" class="soft small" hidden>${texts.viewerNote}</p></form>
<p id="saved-state" class="small" aria-live="polite"></p>
<div id="saved-list"></div>`

const savedContent = (view: View, texts: ExplorerTexts, saving: Saving): Html => {
  if (saving.kind === 'elsewhere')
    return html`<p>${texts.savedElsewhere}</p><p><a id="open-main" href="${saving.explorerUrl}">${texts.savedOpenMain}</a></p>`
  if (saving.kind === 'signed-out')
    return html`<p>${texts.savedSignIn}</p><p><a class="button small" href="/explorer/sign-in">${texts.signIn}</a></p>`
  if (saving.apps.length === 0)
    return html`<p>${texts.noApps}</p><p><a href="/console/apps/new">${texts.registerApp}</a></p>`
  return html`<p class="soft small">${texts.savedLead}</p>${savingForm(view, texts, saving.apps)}`
}

const saved = (view: View, texts: ExplorerTexts, saving: Saving): Html =>
  html`<section id="saved" class="panel" aria-labelledby="saved-title" hidden><h2 id="saved-title">${texts.savedTitle}</h2>
${savedContent(view, texts, saving)}</section>`

export const panels = (view: View, texts: ExplorerTexts, saving: Saving): Html =>
  html`${builder(texts)}${history(texts)}${saved(view, texts, saving)}`
