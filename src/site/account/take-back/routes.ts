// Taking an account back: the page, the answer to its question, and keeping one thing after the other.
import { keepSteps, nameLastOwn } from '../../../accounts/take-back/answer.ts'
import { isUnanswered, listSignIns, listSteps } from '../../../accounts/take-back/lately.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { type AccountParts, browserOf } from '../../sign-in/account-parts.ts'
import { TAKE_BACK_PAGE, type TakeBackNews, takeBackNews, takeBackPage } from './page.ts'

const back = (news: TakeBackNews): Answer => redirectTo(`${TAKE_BACK_PAGE}?done=${news}`)

const show = async ({ accounts: { database } }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id: currentId, user } = visit.session
  const done = visit.query.text('done')
  const shown = {
    signIns: await listSignIns(database, user.id, currentId),
    steps: await listSteps(database, user.id),
    isUnanswered: await isUnanswered(database, user.id),
    news: takeBackNews.find(name => name === done),
  }
  // Its script fetches nothing.
  return showPage(takeBackPage(visit.view, shown), { scriptAsks: ["'none'"] })
}

const acceptLast = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const input = { user: visit.session.user, visit: browserOf(visit), signIn: visit.form.text('last') }
  return back((await nameLastOwn(accounts, input)) ? 'answered' : 'answer_missing')
}

const acceptKeep = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const ids = visit.form
    .text('ids')
    .split(',')
    .filter(id => /^\d{1,18}$/.test(id))
  const kept = await keepSteps(accounts, { user: visit.session.user, visit: browserOf(visit), ids })
  return back(kept ? 'kept' : 'keep_failed')
}

export const addTakeBackRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(TAKE_BACK_PAGE, visit => show(parts, visit))
  routes.postSignedIn(`${TAKE_BACK_PAGE}/last`, visit => acceptLast(parts, visit))
  routes.postSignedIn(`${TAKE_BACK_PAGE}/keep`, visit => acceptKeep(parts, visit))
}
