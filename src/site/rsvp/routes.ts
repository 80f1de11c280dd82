// /m/{slug}/events/{id}: one date of an event, and the visitor's answer to it; /rsvp/confirm: the link that a guest gets.
import type { FastifyInstance } from 'fastify'
import type { AccountServices } from '../../accounts/account-services.ts'
import { answers, askGuest, confirmGuest, peekGuestAnswer } from '../../accounts/guest-answers.ts'
import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { notFound } from '../../http/not-found.ts'
import { formValues } from '../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame, type PageRoutes, type SignedInVisit } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { nameIn } from '../masjid/public-masjid.ts'
import { ask, read } from '../staff/ask.ts'
import { refusalWords } from '../staff/refusals/refusal-words.ts'
import { confirmedPage, confirmPage, refusedPage, sentPage } from './confirm-pages.ts'
import { type DateParts, datePage } from './date-page.ts'
import { datePath, type TypedAnswer } from './date-parts.ts'
import { ANSWER, OWN, type OwnAnswer } from './own-answer.ts'
import { type EventDate, readDate } from './read-date.ts'

export interface RsvpParts {
  readonly accounts: AccountServices
  readonly graphql: Engine
  readonly clock: Clock
  readonly pages: PageFrame
}

const REFUSED = { status: 422 }

const isSignedIn = (visit: Visit): visit is SignedInVisit => visit.session !== undefined

/** @throws {Fault} `not_found`, also under the address of another masjid */
const dateOf = async ({ graphql }: RsvpParts, { request, address }: Visit): Promise<EventDate> => {
  const parameters = formValues(request.params)
  const date = await readDate(graphql, parameters.text('id'), address)
  if (date === undefined || date.masjid.slug !== parameters.text('slug')) throw notFound()
  return date
}

const ownOf = async ({ graphql }: RsvpParts, visit: Visit, { id }: EventDate): Promise<OwnAnswer | undefined> => {
  if (!isSignedIn(visit)) return undefined
  const { own } = await read<{ own: readonly OwnAnswer[] }>(graphql, visit, { query: OWN, variables: { id } })
  return own[0]
}

const show = async (
  parts: RsvpParts,
  visit: Visit,
  shown: Omit<DateParts, 'now' | 'own'>,
  status = 200,
): Promise<Answer> => {
  const own = await ownOf(parts, visit, shown.date)
  return showPage(datePage(visit.view, { ...shown, own, now: parts.clock.now() }), { status })
}

const typedIn = ({ form }: Visit): TypedAnswer => ({
  status: answers.find(status => status === form.text('status')) ?? 'going',
  size: form.text('size'),
})

/** NaN for what is no number. */
const sizeOf = (text: string): number => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN)

const saveOwn = async (parts: RsvpParts, visit: SignedInVisit, date: EventDate): Promise<Answer> => {
  const typed = typedIn(visit)
  const size = sizeOf(typed.size)
  if (Number.isNaN(size)) return show(parts, visit, { date, typed, faults: { size: 'size_wrong' } }, REFUSED.status)
  const variables = { id: date.id, status: typed.status, size }
  const written = await ask(parts.graphql, visit, { query: ANSWER, variables })
  if ('refused' in written) return show(parts, visit, { date, typed, refusal: written.refused.message }, REFUSED.status)
  return redirectTo(`${datePath(date)}?done=saved`)
}

const saveGuest = async (parts: RsvpParts, visit: Visit, date: EventDate): Promise<Answer> => {
  const { view, form, address } = visit
  const typed = { ...typedIn(visit), name: form.text('name'), email: form.text('email') }
  const outcome = await askGuest(parts.accounts, {
    ...typed,
    size: sizeOf(typed.size),
    occurrence: date.id,
    event: date.event.title,
    masjid: nameIn(view.language, date.masjid),
    language: view.language,
    address,
  })
  if (outcome.kind === 'sent') return showPage(sentPage(view, typed.email))
  if (outcome.kind === 'faulty')
    return show(parts, visit, { date, typed, faults: { ...outcome.faults } }, REFUSED.status)
  return show(parts, visit, { date, typed, refusal: refusalWords(view, outcome.refused) }, REFUSED.status)
}

const showConfirm = async (parts: RsvpParts, { view, query, address }: Visit): Promise<Answer> => {
  const token = query.text('token')
  const answer = await peekGuestAnswer(parts.accounts.database, token)
  const date = await readDate(parts.graphql, answer.occurrence, address)
  if (date === undefined) throw notFound()
  return showPage(confirmPage(view, { token, date, answer }))
}

const acceptConfirm = async (parts: RsvpParts, { view, form, address }: Visit): Promise<Answer> => {
  const { database } = parts.accounts
  const token = form.text('token')
  const { occurrence } = await peekGuestAnswer(database, token)
  const outcome = await confirmGuest(database, token)
  const date = await readDate(parts.graphql, occurrence, address)
  if (date === undefined) throw notFound()
  if (outcome.kind === 'confirmed') return showPage(confirmedPage(view, date, outcome))
  return showPage(refusedPage(view, date, refusalWords(view, outcome.refused)), REFUSED)
}

const addRsvpRoutes = (routes: PageRoutes, parts: RsvpParts): void => {
  routes.get('/m/:slug/events/:id', async visit =>
    show(parts, visit, { date: await dateOf(parts, visit), done: visit.query.text('done') === 'saved' }),
  )
  routes.post('/m/:slug/events/:id', async visit => {
    const date = await dateOf(parts, visit)
    return isSignedIn(visit) ? saveOwn(parts, visit, date) : saveGuest(parts, visit, date)
  })
  routes.getSignedIn('/m/:slug/events/:id/sign-in', async visit => redirectTo(datePath(await dateOf(parts, visit))))
  routes.get('/rsvp/confirm', visit => showConfirm(parts, visit))
  routes.post('/rsvp/confirm', visit => acceptConfirm(parts, visit))
}

export const addRsvpPages = (server: FastifyInstance, parts: RsvpParts): Promise<void> =>
  addPages(server, parts.pages, routes => addRsvpRoutes(routes, parts))
