// What an owner can do to a whole app: edit it or request a change, suspend it, delete it.
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'
import { mayDo } from '../../apps/team/roles.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { form } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { changeTable } from '../review/change-table.ts'
import { appFrame, appPath } from './app-frame.ts'
import { boundTokensPart } from './bound-tokens/part.ts'
import { lifetimesPart } from './lifetimes.ts'
import { type SignOutsParts, signOutsCard } from './sign-outs.ts'

export interface SettingsParts {
  readonly app: App
  readonly change: AppChange | undefined
  readonly signOuts: SignOutsParts
  readonly done: string | undefined
}

const waitingPart = (view: View, { app, change }: SettingsParts): Html => {
  const { stopApp } = view.texts
  if (change === undefined) return nothing
  return html`${notice({ tone: 'info', text: stopApp.waiting })}${changeTable(view, app, change.proposed)}
${actions(linkButton({ href: appPath(app.id, 'change/withdraw'), text: stopApp.withdrawChange }))}`
}

const editPart = (view: View, parts: SettingsParts): Html => {
  const { app } = parts
  const { appForm, console, stopApp } = view.texts
  if (app.state === 'suspended') return nothing
  const [text, button] =
    app.state === 'approved'
      ? [stopApp.changeText, appForm.askChange]
      : app.state === 'rejected'
        ? [console.stateHelp.rejected, console.toEdit]
        : [stopApp.editText, stopApp.editHeading]
  return html`<section class="card"><h2>${stopApp.editHeading}</h2><p>${text}</p>${waitingPart(view, parts)}
${actions(linkButton({ href: appPath(app.id, 'edit'), text: button, look: 'primary' }))}</section>`
}

/** Owners may reinstate an app that one of them suspended; after a reviewer's suspension only a reviewer may. */
export const mayReinstate = ({ state, movedByOwner }: App): boolean => state === 'suspended' && movedByOwner

const stopPart = (view: View, app: App): Html => {
  const { stopApp } = view.texts
  if (app.state === 'approved')
    return html`<section class="card"><h2>${stopApp.suspendHeading}</h2><p>${stopApp.suspendText}</p>
${linkButton({ href: appPath(app.id, 'suspend'), text: stopApp.suspend, look: 'danger' })}</section>`
  if (app.state !== 'suspended') return nothing
  return html`<section class="card"><h2>${stopApp.suspendHeading}</h2>${
    mayReinstate(app)
      ? form(view, {
          action: appPath(app.id, 'reinstate'),
          fields: submitButton({ text: stopApp.reinstate, look: 'primary' }),
        })
      : html`<p>${stopApp.byReviewer}</p>`
  }</section>`
}

const deletePart = (view: View, app: App): Html => {
  const { stopApp } = view.texts
  const pending = app.state === 'pending'
  return html`<section class="card"><h2>${pending ? stopApp.withdraw : stopApp.deleteHeading}</h2>
<p>${pending ? stopApp.withdrawText : stopApp.deleteText}</p>
${linkButton({ href: appPath(app.id, 'delete'), text: pending ? stopApp.withdraw : stopApp.delete, look: 'danger' })}</section>`
}

/** What somebody may not do is not offered. */
const partsFor = (view: View, parts: SettingsParts): Html => {
  const { app } = parts
  if (!mayDo(app.role, 'develop')) return notice({ tone: 'info', text: view.texts.team.onlyReading })
  return html`${editPart(view, parts)}${lifetimesPart(view, app)}${boundTokensPart(view, app)}${signOutsCard(view, parts.signOuts)}${mayDo(app.role, 'own') && html`${stopPart(view, app)}${deletePart(view, app)}`}`
}

export const settingsPage = (view: View, parts: SettingsParts): Html =>
  appFrame(view, {
    app: parts.app,
    section: 'settings',
    done: parts.done,
    main: partsFor(view, parts),
  })
