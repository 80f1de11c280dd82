// To another provider and back: to sign in, to link an account there, or to confirm that it is oneself.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFresh } from '../../accounts/factors/step-up.ts'
import { beginJourney, type Departure } from '../../accounts/providers/begin-journey.ts'
import { enterWithIdentity, stepUpWithIdentity } from '../../accounts/providers/enter-with-identity.ts'
import type { Identity } from '../../accounts/providers/identity.ts'
import type { Journey } from '../../accounts/providers/journey.ts'
import { linkIdentity, listIdentities, unlinkIdentity } from '../../accounts/providers/linked-identities.ts'
import { callbackPath, type Provider } from '../../accounts/providers/providers.ts'
import {
  answerParameters,
  type ProviderAnswer,
  type ReadAnswer,
  readAnswer,
} from '../../accounts/providers/read-answer.ts'
import { networkOf } from '../../base/ip-address.ts'
import { notFound } from '../../http/not-found.ts'
import { type FormValues, formValues } from '../frame/form-body.ts'
import { AGAIN_PAGE } from '../frame/fresh-first.ts'
import { type Answer, redirectTo, sendAnswer, showPage } from '../frame/page-reply.ts'
import { addPages, type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { rememberReturn, takeReturn } from '../frame/return-address.ts'
import type { Visit } from '../frame/visit.ts'
import { type AccountParts, browserOf, enterWith, waitingRequest } from '../sign-in/account-parts.ts'
import { findPending } from '../sign-in/pending-request.ts'
import { withNews } from '../sign-in/sign-in-page.ts'
import { choicesOf, signInPath } from './provider-buttons.ts'
import { existsPage, LINKS, labelOf, unverifiedPage } from './provider-pages.ts'

type Purpose = Journey['purpose']

/** @throws {Fault} `not_found` */
const providerOf = ({ accounts }: AccountParts, { params }: FastifyRequest): Provider => {
  const provider = accounts.providers.find((params as { readonly name: string }).name)
  if (provider === undefined) throw notFound()
  return provider
}

/** Back to where the journey began, which says what happened. */
const backTo = (purpose: Purpose, news: string, request?: string): Answer => {
  if (purpose === 'link') return redirectTo(`${SECURITY_PAGE}?done=provider_${news}`)
  if (purpose === 'again') return redirectTo(`${AGAIN_PAGE}?done=provider_${news}`)
  return redirectTo(withNews(request, `provider_${news}`))
}

const depart = async (
  parts: AccountParts,
  visit: Visit,
  { purpose, request }: Pick<Departure, 'purpose' | 'request'>,
): Promise<Answer> => {
  const { accounts } = parts
  const provider = providerOf(parts, visit.request)
  accounts.limits.signInPerAddress.take(networkOf(visit.address))
  const { binding, view } = visit
  const begun = await beginJourney(accounts.providers, { provider, purpose, request, binding, language: view.language })
  return 'fault' in begun ? backTo(purpose, begun.fault, request) : redirectTo(begun.location)
}

type Arrived = Extract<ReadAnswer, { readonly kind: 'identity' }>

const signInWith = async (parts: AccountParts, visit: Visit, { identity, journey }: Arrived): Promise<Answer> => {
  const { accounts, provider, pages } = parts
  const { request } = journey
  const pending = request === undefined ? undefined : await findPending(provider.authorize, request)
  const strong = pending?.strong === true
  const arrival = { identity, visit: browserOf(visit), language: visit.view.language, strong }
  const outcome = await enterWithIdentity(accounts, arrival)
  const stranded = { provider: identity.provider.label, request }
  switch (outcome.kind) {
    case 'signed_in':
      return enterWith(parts, visit, { token: outcome.token, request })
    case 'challenged':
      pages.visits.cookies.write(visit.reply, 'challenge', outcome.token)
      return redirectTo(
        request === undefined ? '/sign-in/second-factor' : `/sign-in/second-factor?${new URLSearchParams({ request })}`,
      )
    case 'refused':
      return backTo('sign_in', 'disabled', request)
    case 'unverified':
      return showPage(unverifiedPage(visit.view, stranded), { status: 403 })
    case 'exists':
      rememberReturn(pages.visits, visit, SECURITY_PAGE)
      return showPage(existsPage(visit.view, { ...stranded, email: outcome.email }), { status: 409 })
  }
}

const linkTo = async ({ accounts }: AccountParts, visit: Visit, identity: Identity): Promise<Answer> => {
  const { session } = visit
  if (session === undefined || !isFresh(session, 'sending')) return backTo('link', 'unknown')
  const linked = await linkIdentity(accounts, session, { identity, visit: browserOf(visit) })
  return backTo('link', linked ? 'linked' : 'taken')
}

const confirmWith = async (
  { accounts, pages: { visits } }: AccountParts,
  visit: Visit,
  { identity, journey }: Arrived,
): Promise<Answer> => {
  const { session } = visit
  const confirmed = session !== undefined && (await stepUpWithIdentity(accounts, session, { identity, journey }))
  return confirmed ? redirectTo(takeReturn(visits, visit, SECURITY_PAGE)) : backTo('again', 'again_failed')
}

const parametersOf = (query: FormValues): ProviderAnswer['parameters'] =>
  Object.fromEntries(
    answerParameters.flatMap(name => {
      const value = query.single(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A fault of ours or theirs is logged; people only learn that it did not work. */
const note = ({ request }: Visit, answer: ReadAnswer): void => {
  if ('detail' in answer && answer.kind !== 'denied')
    request.log.warn(
      { err: answer.detail, provider: answer.journey.provider },
      'a sign-in with another provider failed',
    )
}

const arrive = async (parts: AccountParts, visit: Visit): Promise<Answer> => {
  const { accounts } = parts
  const provider = providerOf(parts, visit.request)
  accounts.limits.signInPerAddress.take(networkOf(visit.address))
  const parameters = parametersOf(visit.query)
  const answer = await readAnswer(accounts.providers, accounts.database, {
    provider,
    binding: visit.binding,
    parameters,
  })
  note(visit, answer)
  if (answer.kind === 'unknown') return backTo('sign_in', 'unknown')
  if (answer.kind !== 'identity') return backTo(answer.journey.purpose, answer.kind, answer.journey.request)
  if (answer.journey.purpose === 'link') return linkTo(parts, visit, answer.identity)
  return answer.journey.purpose === 'again' ? confirmWith(parts, visit, answer) : signInWith(parts, visit, answer)
}

const acceptUnlink = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const { id } = visit.request.params as { readonly id: string }
  const own = await listIdentities(accounts.database, visit.session.user.id)
  const identity = own.find(one => one.id === id)
  if (identity === undefined) throw notFound()
  const provider = labelOf(choicesOf(accounts.providers), identity.provider)
  const removed = await unlinkIdentity(accounts, visit.session, { id, provider, visit: browserOf(visit) })
  return backTo('link', removed ? 'unlinked' : 'last')
}

/**
 * `response_mode=form_post`: a post from another site comes without our cookies (SameSite), so the browser is sent to the same
 * address with GET, which has them. The post itself decides nothing.
 */
const acceptPost = (scope: FastifyInstance, { pages }: AccountParts): void => {
  scope.post(callbackPath(':name'), (request, reply) => {
    const { name } = request.params as { readonly name: string }
    const parameters = new URLSearchParams(parametersOf(formValues(request.body)))
    sendAnswer(reply, redirectTo(`${callbackPath(encodeURIComponent(name))}?${parameters}`), pages.production)
  })
}

const addRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.post(signInPath(':name'), async visit => {
    const { request } = await waitingRequest(parts, visit)
    return depart(parts, visit, { purpose: 'sign_in', request })
  })
  routes.postSignedIn(`${AGAIN_PAGE}/with/:name`, visit =>
    depart(parts, visit, { purpose: 'again', request: undefined }),
  )
  routes.postSignedIn(`${LINKS}/:name/link`, visit => depart(parts, visit, { purpose: 'link', request: undefined }))
  routes.postSignedIn(`${LINKS}/:id/unlink`, visit => acceptUnlink(parts, visit))
  routes.get(callbackPath(':name'), visit => arrive(parts, visit))
}

export const addProviderPages = (server: FastifyInstance, parts: AccountParts): Promise<void> =>
  addPages(server, parts.pages, (routes, scope) => {
    addRoutes(routes, parts)
    acceptPost(scope, parts)
  })
