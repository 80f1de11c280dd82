// Suspending, reinstating, withdrawing and deleting an app, each confirmed first if it cannot be undone.
import type { App } from '../../apps/app.ts'
import { pendingChange, withdrawChange } from '../../apps/changes.ts'
import { setLifetimes } from '../../apps/lifetimes.ts'
import { deleteApp, reinstateApp, suspendApp } from '../../apps/stop.ts'
import { notFound } from '../../http/not-found.ts'
import { forbidden } from '../frame/fault-page.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { type ConfirmParts, confirmPage } from '../pieces/confirm-page.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { fill, fillTitle } from '../pieces/fill.ts'
import type { Texts } from '../texts/texts.ts'
import { appPath } from './app-frame.ts'
import { addBoundTokensRoute } from './bound-tokens/part.ts'
import { readLifetimes } from './lifetimes.ts'
import { actorOf, type ConsoleParts, ownApp } from './parts.ts'
import { mayReinstate, settingsPage } from './settings-page.ts'
import { addSignOutsRoute, readSignOuts } from './sign-outs.ts'

type Question = Pick<ConfirmParts, 'title' | 'text' | 'action' | 'button'>

const ask = (visit: SignedInVisit, app: App, question: Question): Answer =>
  showPage(confirmPage(visit.view, { ...question, cancel: appPath(app.id, 'settings'), section: 'console' }))

const suspendQuestion = ({ stopApp }: Texts, app: App): Question => ({
  title: fillTitle(stopApp.suspendTitle, { app: app.name }),
  text: stopApp.suspendConfirm,
  action: appPath(app.id, 'suspend'),
  button: stopApp.suspend,
})

const deleteQuestion = ({ stopApp }: Texts, app: App): Question => {
  const pending = app.state === 'pending'
  return {
    title: fillTitle(pending ? stopApp.withdrawTitle : stopApp.deleteTitle, { app: app.name }),
    text: fill(pending ? stopApp.withdrawText : stopApp.deleteConfirm, {}),
    action: appPath(app.id, 'delete'),
    button: pending ? stopApp.withdraw : stopApp.delete,
  }
}

const withdrawQuestion = ({ stopApp }: Texts, app: App): Question => ({
  title: stopApp.withdrawChangeTitle,
  text: stopApp.withdrawChangeText,
  action: appPath(app.id, 'change/withdraw'),
  button: stopApp.withdrawChange,
})

const settingsNews = ({ view, query }: SignedInVisit): string | undefined => {
  const { console } = view.texts
  const words = {
    suspended: console.suspendedNotice,
    reinstated: console.reinstatedNotice,
    withdrawn: console.withdrawnNotice,
    lifetimes: view.texts.lifetimes.saved,
    bound_tokens: view.texts.boundTokens.saved,
    sign_outs: view.texts.stopApp.signOutsSaved,
  }
  return words[query.text('done') as keyof typeof words]
}

const showSettings = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const change = await pendingChange(parts.database, app.id)
  const signOuts = await readSignOuts(parts, app.id)
  return showWithCopies(settingsPage(visit.view, { app, change, signOuts, done: settingsNews(visit) }))
}

const acceptLifetimes = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await setLifetimes(parts.database, { appId: app.id, actor: actorOf(visit), ...readLifetimes(visit.form) })
  return redirectTo(`${appPath(app.id, 'settings')}?done=lifetimes`)
}

const acceptSuspend = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const reason = visit.view.texts.stopApp.suspendReason
  await suspendApp(parts.database, { appId: app.id, actor: actorOf(visit), reason })
  return redirectTo(`${appPath(app.id, 'settings')}?done=suspended`)
}

const acceptReinstate = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  if (!mayReinstate(app)) throw forbidden()
  await reinstateApp(parts.database, { appId: app.id, actor: actorOf(visit) })
  return redirectTo(`${appPath(app.id, 'settings')}?done=reinstated`)
}

const acceptDelete = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await deleteApp(parts.database, { appId: app.id, actor: actorOf(visit) })
  return redirectTo(`/console?${new URLSearchParams({ deleted: app.name })}`)
}

const askWithdraw = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  if ((await pendingChange(parts.database, app.id)) === undefined) throw notFound()
  return ask(visit, app, withdrawQuestion(visit.view.texts, app))
}

const acceptWithdraw = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await withdrawChange(parts.database, { appId: app.id, actor: actorOf(visit) })
  return redirectTo(`${appPath(app.id, 'settings')}?done=withdrawn`)
}

export const addStopRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  const asking = (question: (texts: Texts, app: App) => Question) => async (visit: SignedInVisit) => {
    const app = await ownApp(parts, visit)
    return ask(visit, app, question(visit.view.texts, app))
  }
  routes.getSignedIn('/console/apps/:id/settings', visit => showSettings(parts, visit))
  addBoundTokensRoute(routes, parts)
  addSignOutsRoute(routes, parts)
  routes.postSignedIn('/console/apps/:id/lifetimes', visit => acceptLifetimes(parts, visit))
  routes.getSignedIn('/console/apps/:id/suspend', asking(suspendQuestion))
  routes.postSignedIn('/console/apps/:id/suspend', visit => acceptSuspend(parts, visit))
  routes.postSignedIn('/console/apps/:id/reinstate', visit => acceptReinstate(parts, visit))
  routes.getSignedIn('/console/apps/:id/delete', asking(deleteQuestion))
  routes.postSignedIn('/console/apps/:id/delete', visit => acceptDelete(parts, visit))
  routes.getSignedIn('/console/apps/:id/change/withdraw', visit => askWithdraw(parts, visit))
  routes.postSignedIn('/console/apps/:id/change/withdraw', visit => acceptWithdraw(parts, visit))
}
