// RP-initiated logout in the browser: immediate if the app's ID token hint names the person, otherwise after confirmation.
import type { FastifyInstance } from 'fastify'
import { endSession, type Session } from '../../accounts/sessions.ts'
import { rawParameters } from '../../http/form-post.ts'
import type { AuthorizeParts } from '../../oauth/authorize/authorize-parts.ts'
import { paths } from '../../oauth/discovery.ts'
import { checkLogout, type LogoutRequest, mustConfirm } from '../../oauth/logout.ts'
import type { Parameters } from '../../oauth/parameters.ts'
import { postedParameters } from '../consent/routes.ts'
import { type Answer, formTargetsFor, redirectTo, sendAnswer, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { confirmPage } from '../pieces/confirm-page.ts'

const CONFIRM_PATH = '/oauth/logout/confirm'
const carried = ['client_id', 'post_logout_redirect_uri', 'state'] as const

const present = (parameters: Parameters, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (parameters[name] === undefined ? [] : [[name, parameters[name]]])))

const confirmation = (view: View, { parameters, location }: LogoutRequest): Answer => {
  const { title, text } = view.texts.logout
  const button = view.texts.common.signOut
  const hidden = present(parameters, carried)
  const html = confirmPage(view, { title, text, button, hidden, action: CONFIRM_PATH, cancel: '/' })
  return showPage(html, { formTargets: location === undefined ? [] : formTargetsFor(location) })
}

export const logoutRoutes = (server: FastifyInstance, parts: AuthorizeParts, frame: PageFrame): Promise<void> => {
  const signOut = async ({ reply, address }: Visit, session: Session): Promise<void> => {
    await endSession(parts.database, session.user.id, session.id)
    frame.visits.cookies.clear(reply, 'session')
    const userId = session.user.id
    parts.audit.note({ action: 'account.signed_out', actor: 'user', appId: undefined, userId, address })
  }
  const leave = async (visit: Visit, request: LogoutRequest): Promise<Answer> => {
    if (visit.session !== undefined) await signOut(visit, visit.session)
    return redirectTo(request.location ?? '/')
  }
  return addPages(server, frame, (routes, scope) => {
    routes.get(paths.logout, async visit => {
      const request = await checkLogout(parts, rawParameters(visit.request.query))
      if (visit.session !== undefined && mustConfirm(request, visit.session)) return confirmation(visit.view, request)
      return leave(visit, request)
    })
    // A cross-site POST carries no session cookie, so the browser is redirected to the same URL with GET.
    scope.post(paths.logout, async (request, reply) => {
      const { parameters } = await checkLogout(parts, postedParameters(request))
      const query = new URLSearchParams(present(parameters, ['id_token_hint', ...carried]))
      return sendAnswer(reply, redirectTo(`${paths.logout}?${query}`), frame.production)
    })
    routes.post(CONFIRM_PATH, async visit => leave(visit, await checkLogout(parts, rawParameters(visit.request.body))))
  })
}
