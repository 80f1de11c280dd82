// A person's own data: the download, the erasure of the account, and the link that keeps it.
import { askForErasure, callOffErasure, peekErasure } from '../../../own-data/erase/ask-erasure.ts'
import { findBlockers, isBlocked } from '../../../own-data/erase/blockers.ts'
import { planErasure } from '../../../own-data/erase/erasure-plan.ts'
import { createExportLink, takeExportLink } from '../../../own-data/export/export-link.ts'
import { exportPerson } from '../../../own-data/export/export-person.ts'
import { readOwnTables } from '../../../own-data/read-tables.ts'
import { listWaitingLinks } from '../../../people/member-links.ts'
import { type Answer, redirectTo, sendFile, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { Visit } from '../../frame/visit.ts'
import type { AccountParts } from '../../sign-in/account-parts.ts'
import { addLinkRoutes } from './link-routes.ts'
import { linkNewsOf } from './links.ts'
import { accountKeptPage, erasePage, erasureAskedPage, exportReadyPage, keepAccountPage, ownDataPage } from './pages.ts'

const OWN_DATA_PAGE = '/account/data'
const ERASE_PAGE = '/account/data/erase'

const showOwnData = async ({ accounts }: AccountParts, { view, session, query }: SignedInVisit): Promise<Answer> => {
  const links = await listWaitingLinks(accounts.database, session.user.id)
  return showPage(ownDataPage(view, { days: accounts.erasureDays, links, news: linkNewsOf(query.text('done')) }))
}

const acceptExport = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> =>
  showPage(exportReadyPage(visit.view, await createExportLink(accounts, visit)))

const sendExport = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await takeExportLink(accounts, visit.query.text('token'), visit)
  const { user } = visit.session
  return sendFile({
    name: 'my-data.zip',
    contentType: 'application/zip',
    body: await exportPerson(accounts.database, { user, baseUrl: accounts.baseUrl }),
  })
}

const showErase = async ({ accounts }: AccountParts, { view, session }: SignedInVisit): Promise<Answer> => {
  const { database, erasureDays: days } = accounts
  const { id, email } = session.user
  const blockers = await findBlockers(database, id)
  return showPage(erasePage(view, { plan: planErasure(await readOwnTables(database)), blockers, days, email }))
}

/** This browser's session has ended with all others. */
const acceptErase = async ({ accounts, pages }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { user } = visit.session
  if (isBlocked(await findBlockers(accounts.database, user.id))) return redirectTo(ERASE_PAGE)
  const actor = { kind: 'user', userId: user.id, address: visit.address } as const
  const dueAt = await askForErasure(accounts, { user, actor })
  pages.visits.cookies.clear(visit.reply, 'session')
  return showPage(erasureAskedPage({ ...visit.view, user: undefined }, dueAt))
}

const showKeep = async ({ accounts }: AccountParts, { view, query }: Visit): Promise<Answer> => {
  const token = query.text('token')
  return showPage(keepAccountPage(view, { token, ...(await peekErasure(accounts.database, token)) }))
}

const acceptKeep = async ({ accounts }: AccountParts, { view, form, address }: Visit): Promise<Answer> => {
  await callOffErasure(accounts.database, form.text('token'), address)
  return showPage(accountKeptPage(view))
}

/** A stolen session is not enough to take everything along, or to erase it. */
export const addOwnDataRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(OWN_DATA_PAGE, visit => showOwnData(parts, visit))
  addLinkRoutes(routes, parts)
  routes.postSignedIn(`${OWN_DATA_PAGE}/export`, visit => acceptExport(parts, visit))
  routes.getSignedIn(`${OWN_DATA_PAGE}/download`, visit => sendExport(parts, visit))
  routes.getSignedIn(ERASE_PAGE, visit => showErase(parts, visit))
  routes.postSignedIn(ERASE_PAGE, visit => acceptErase(parts, visit))
  routes.get('/keep-account', visit => showKeep(parts, visit))
  routes.post('/keep-account', visit => acceptKeep(parts, visit))
}
