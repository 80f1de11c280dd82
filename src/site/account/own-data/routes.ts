// A person's own data: the download, the erasure of the account, and the link that keeps it.
import { isFresh, requireFreshSignIn } from '../../../accounts/fresh-sign-in.ts'
import { askForErasure, callOffErasure, peekErasure } from '../../../own-data/erase/ask-erasure.ts'
import { findBlockers, isBlocked } from '../../../own-data/erase/blockers.ts'
import { planErasure } from '../../../own-data/erase/erasure-plan.ts'
import { createExportLink, takeExportLink } from '../../../own-data/export/export-link.ts'
import { exportPerson } from '../../../own-data/export/export-person.ts'
import { readOwnTables } from '../../../own-data/read-tables.ts'
import { type Answer, redirectTo, sendFile, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { Visit } from '../../frame/visit.ts'
import type { AccountParts } from '../../sign-in/account-parts.ts'
import {
  accountKeptPage,
  erasePage,
  erasureAskedPage,
  exportReadyPage,
  keepAccountPage,
  ownDataPage,
  type Proof,
} from './pages.ts'

const proofOf = ({ session }: SignedInVisit, fault?: string): Proof => ({
  asksPassword: fault !== undefined || !isFresh(session),
  fault,
})

/** @returns what is wrong with the typed password. */
const provenBy = ({ accounts }: AccountParts, { session, form }: SignedInVisit): Promise<string | undefined> =>
  requireFreshSignIn(accounts, session, form.exact('password'))

const statusOf = (fault: string | undefined): { status: number } => ({ status: fault === undefined ? 200 : 422 })

const showOwnData = ({ accounts }: AccountParts, visit: SignedInVisit, fault?: string): Answer =>
  showPage(ownDataPage(visit.view, { proof: proofOf(visit, fault), days: accounts.erasureDays }), statusOf(fault))

const acceptExport = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const fault = await provenBy(parts, visit)
  if (fault !== undefined) return showOwnData(parts, visit, fault)
  return showPage(exportReadyPage(visit.view, await createExportLink(parts.accounts, visit)))
}

const sendExport = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  await takeExportLink(accounts, visit.query.text('token'), visit)
  const { user } = visit.session
  return sendFile({
    name: 'my-data.zip',
    contentType: 'application/zip',
    body: await exportPerson(accounts.database, { user, baseUrl: accounts.baseUrl }),
  })
}

const showErase = async ({ accounts }: AccountParts, visit: SignedInVisit, fault?: string): Promise<Answer> => {
  const { database, erasureDays: days } = accounts
  const { id, email } = visit.session.user
  const blockers = await findBlockers(database, id)
  const plan = planErasure(await readOwnTables(database))
  return showPage(erasePage(visit.view, { plan, blockers, proof: proofOf(visit, fault), days, email }), statusOf(fault))
}

/** This browser's session has ended with all others. */
const acceptErase = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { accounts, pages } = parts
  const { user } = visit.session
  if (isBlocked(await findBlockers(accounts.database, user.id))) return redirectTo('/account/data/erase')
  const fault = await provenBy(parts, visit)
  if (fault !== undefined) return showErase(parts, visit, fault)
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

export const addOwnDataRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn('/account/data', visit => showOwnData(parts, visit))
  routes.postSignedIn('/account/data/export', visit => acceptExport(parts, visit))
  routes.getSignedIn('/account/data/download', visit => sendExport(parts, visit))
  routes.getSignedIn('/account/data/erase', visit => showErase(parts, visit))
  routes.postSignedIn('/account/data/erase', visit => acceptErase(parts, visit))
  routes.get('/keep-account', visit => showKeep(parts, visit))
  routes.post('/keep-account', visit => acceptKeep(parts, visit))
}
