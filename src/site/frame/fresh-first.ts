// A route and its handler → a handler that first asks people to show again who they are, if the route is one that asks.
import { isFresh } from '../../accounts/factors/step-up.ts'
import type { Session } from '../../accounts/sessions.ts'
import { actsThatAsk, actsThatNeverAsk, pagesThatAsk, passwordFieldOf } from './acts.ts'
import { type Answer, redirectTo } from './page-reply.ts'
import { rememberReturn } from './return-address.ts'
import type { SignedInVisit, Visit, Visits } from './visit.ts'

/** Where people show again who they are. */
export const AGAIN_PAGE = '/sign-in/again'

type Act = (visit: SignedInVisit) => Promise<Answer> | Answer

/** Carries out an act whose form came too late, or without proof, once the person has shown who they are. */
export type ProveFirst = (visit: SignedInVisit, act: Act) => Promise<Answer>

/** The form that waited while the person was asked. */
export const HELD_FIELD = 'held_form'

const bringsPassword = (path: string, { form, session }: Visit): boolean => {
  const field = passwordFieldOf(path)
  return field !== undefined && session?.hasFactor === false && form.exact(field) !== ''
}

const isSignedIn = (visit: Visit): visit is SignedInVisit => visit.session !== undefined

type Handler<V> = (visit: V) => Promise<Answer> | Answer

/** Whoever is not signed in is the handler's to refuse. @throws if the route is on no list: somebody has to decide. */
export const actFreshly = <V extends Visit>(path: string, handler: Handler<V>, prove: ProveFirst): Handler<V> => {
  if (actsThatNeverAsk.has(path)) return handler
  if (!actsThatAsk.has(path)) throw new Error(`Does a form sent to ${path} ask who one is? See src/site/frame/acts.ts.`)
  return visit => {
    if (!isSignedIn(visit)) return handler(visit)
    const waited = visit.form.text(HELD_FIELD) !== ''
    if (!waited && (isFresh(visit.session, 'sending') || bringsPassword(path, visit))) return handler(visit)
    return prove(visit, proven => handler({ ...visit, ...proven }))
  }
}

export const readFreshly = <V extends Visit & { readonly session: Session }>(
  path: string,
  handler: Handler<V>,
  visits: Visits,
): Handler<V> => {
  if (!pagesThatAsk.has(path)) return handler
  return visit => {
    if (isFresh(visit.session, 'reading')) return handler(visit)
    rememberReturn(visits, visit)
    return redirectTo(AGAIN_PAGE)
  }
}
