// /device: the code is typed, the request is shown, the person decides. A link can fill the code in, and nothing more.

import type { FastifyInstance } from 'fastify'
import type { AuthorizeParts } from '../../oauth/authorize/authorize-parts.ts'
import { decideDevice } from '../../oauth/device/decide-device.ts'
import { DEVICE_PAGE } from '../../oauth/device/device-authorization.ts'
import { claimDeviceRequest, requireDeviceRequest } from '../../oauth/device/device-request.ts'
import { readUserCode, showUserCode } from '../../oauth/device/user-code.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame, type SignedInVisit } from '../frame/page-routes.ts'
import { codePage, decidedPage } from './code-page.ts'
import { confirmDevicePage, DECIDE_ACTION } from './confirm-page.ts'

const CONFIRM_PAGE = `${DEVICE_PAGE}/confirm`

/** A link can fill in a code only, not words of its own. */
const showCode = ({ query, view }: SignedInVisit): Answer => {
  const done = query.text('done')
  if (done === 'allow' || done === 'deny') return showPage(decidedPage(view, done))
  const code = readUserCode(query.text('user_code'))
  return showPage(codePage(view, { code: code === undefined ? '' : showUserCode(code) }))
}

const takeCode = async (parts: AuthorizeParts, { form, view, session, address }: SignedInVisit): Promise<Answer> => {
  const typed = form.text('user_code').slice(0, 40)
  const id = await claimDeviceRequest(parts, typed, { session, guesser: { userId: session.user.id, address } })
  if (id === undefined) return showPage(codePage(view, { code: typed, wrong: true }), { status: 422 })
  return redirectTo(`${CONFIRM_PAGE}?${new URLSearchParams({ request: id })}`)
}

const showRequest = async (
  parts: AuthorizeParts,
  { query, view, session, address }: SignedInVisit,
): Promise<Answer> => {
  const asking = await requireDeviceRequest(parts, query.text('request'), session)
  return showPage(confirmDevicePage(view, asking, { address, now: parts.issuer.clock.now() }))
}

const takeDecision = async (parts: AuthorizeParts, { form, session, address }: SignedInVisit): Promise<Answer> => {
  const decision = { id: form.text('request'), session, address, answer: form.text('decision') }
  return redirectTo(`${DEVICE_PAGE}?done=${await decideDevice(parts, decision)}`)
}

export const addDevicePages = (server: FastifyInstance, parts: AuthorizeParts, frame: PageFrame): Promise<void> =>
  addPages(server, frame, routes => {
    routes.getSignedIn(DEVICE_PAGE, showCode)
    routes.postSignedIn(DEVICE_PAGE, visit => takeCode(parts, visit))
    routes.getSignedIn(CONFIRM_PAGE, visit => showRequest(parts, visit))
    routes.postSignedIn(DECIDE_ACTION, visit => takeDecision(parts, visit))
  })
