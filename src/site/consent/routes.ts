// The authorization endpoint and what follows it in the browser: the return from sign-in, the consent page, the decision.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { countedBy } from '../../http/charges/charge.ts'
import { rawParameters } from '../../http/form-post.ts'
import { authorize } from '../../oauth/authorize/authorize.ts'
import type { AuthorizeParts } from '../../oauth/authorize/authorize-parts.ts'
import { askConsent, type ConsentQuestion, decideConsent } from '../../oauth/authorize/consent.ts'
import { findOwnerHint } from '../../oauth/authorize/owner-hint.ts'
import type { AuthorizeAnswer } from '../../oauth/authorize/proceed.ts'
import { resume } from '../../oauth/authorize/resume.ts'
import { paths } from '../../oauth/discovery.ts'
import { invalidRequest } from '../../oauth/oauth-fault.ts'
import type { RawParameters } from '../../oauth/parameters.ts'
import { type Answer, formTargetsFor, redirectTo, sendAnswer, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { CONSENT_ACTION, type ConsentParts, consentPage } from './consent-page.ts'
import { showFormPost } from './form-post-page.ts'
import { ownerHintPage } from './owner-hint-page.ts'
import { placeOf } from './place-of.ts'
import { describeConsent } from './shown-consent.ts'
import { showStranger } from './stranger-page.ts'

const requests = countedBy('authorization requests of an address: 600 a minute')

const pagePaths = { 'sign-in': '/sign-in', consent: '/consent', resume: '/oauth/authorize/resume' } as const

const toAnswer = (view: View, answer: AuthorizeAnswer): Answer => {
  if (answer.kind === 'post') return showFormPost(view, answer)
  if (answer.kind === 'return') return redirectTo(answer.location)
  if (answer.kind === 'stranger') return showStranger(view, answer)
  const { reference, uiLocales } = answer
  const query = new URLSearchParams({
    request: reference,
    ...(uiLocales === undefined ? {} : { ui_locales: uiLocales }),
  })
  return redirectTo(`${pagePaths[answer.kind]}?${query}`)
}

const toParts = ({ client, request, newScopes, newClaims }: ConsentQuestion, reference: string): ConsentParts => ({
  app: {
    name: client.name,
    owner: client.ownerName,
    state: client.state,
    development: client.development,
    // A host that nobody registered has not said what its app is for.
    description: client.host === null ? client.description : undefined,
    homePage: client.homePage ?? undefined,
    logo: client.logo ?? undefined,
    host: client.host ?? undefined,
    ownRows: client.ownRows,
  },
  loopback: request.redirectUri.startsWith('http://'),
  returnsTo: placeOf(request.redirectUri),
  scopes: request.scopes,
  newScopes,
  claims: request.claims,
  newClaims,
  reference,
})

const showConsent = async (parts: AuthorizeParts, { query, session, view }: Visit): Promise<Answer> => {
  const reference = query.text('request')
  const question = await askConsent(parts, reference, session)
  if (question.kind !== 'question') return toAnswer(view, question)
  const formTargets = formTargetsFor(question.request.redirectUri)
  return showPage(consentPage(view, toParts(question, reference)), { formTargets })
}

const takeDecision = async (parts: AuthorizeParts, { form, session, address, view }: Visit): Promise<Answer> => {
  const reference = form.text('request')
  if (session === undefined) return toAnswer(view, await resume(parts, reference, session))
  const decision = { reference, session, address, answer: form.text('decision'), describe: describeConsent(view) }
  return toAnswer(view, await decideConsent(parts, decision))
}

/** Another site may post to this page, so only a form body is read. */
export const postedParameters = (request: FastifyRequest): RawParameters => {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw invalidRequest('Send the parameters as application/x-www-form-urlencoded.')
  return rawParameters(request.body)
}

const answerAuthorize = async (parts: AuthorizeParts, { request, session, address, view }: Visit): Promise<Answer> => {
  const raw = rawParameters(request.query)
  try {
    return toAnswer(view, await authorize(parts, { raw, address, session, posted: false }))
  } catch (error) {
    const hint = error instanceof Fault ? await findOwnerHint(parts, raw, session) : undefined
    if (!(error instanceof Fault) || hint === undefined) throw error
    return showPage(ownerHintPage(view, error, hint), { status: error.status })
  }
}

export const authorizeRoutes = (server: FastifyInstance, parts: AuthorizeParts, frame: PageFrame): Promise<void> =>
  addPages(server, frame, (routes, scope) => {
    routes.get(paths.authorize, visit => answerAuthorize(parts, visit), requests)
    // Without the forgery check of our own forms: any app may post here, and the post decides nothing.
    scope.post(paths.authorize, { config: { charge: requests } }, async (request, reply) => {
      const raw = postedParameters(request)
      const answer = await authorize(parts, {
        raw,
        address: request.clientAddress,
        session: undefined,
        posted: true,
      })
      const { view } = frame.visits.ofNobody(request, reply)
      return sendAnswer(reply, toAnswer(view, answer), frame.production)
    })
    routes.get(pagePaths.resume, async ({ query, session, view }) =>
      toAnswer(view, await resume(parts, query.text('request'), session)),
    )
    routes.get(pagePaths.consent, visit => showConsent(parts, visit))
    routes.post(CONSENT_ACTION, visit => takeDecision(parts, visit))
  })
