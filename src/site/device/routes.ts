// /device: the code is typed, the request is shown, the person decides. A link can fill the code in, and nothing more.
import type { FastifyInstance } from 'fastify'
import type { AuthorizeParts } from '../../oauth/authorize/authorize-parts.ts'
import type { NewScreen } from '../../oauth/device/approve-screen.ts'
import { decideDevice } from '../../oauth/device/decide-device.ts'
import { DEVICE_PAGE } from '../../oauth/device/device-authorization.ts'
import { type AskingDevice, claimDeviceRequest, requireDeviceRequest } from '../../oauth/device/device-request.ts'
import { readUserCode, showUserCode } from '../../oauth/device/user-code.ts'
import { describeConsent } from '../consent/shown-consent.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame, type SignedInVisit } from '../frame/page-routes.ts'
import { codePage, decidedPage } from './code-page.ts'
import { confirmDevicePage, DECIDE_ACTION } from './confirm-page.ts'
import { confirmScreenPage, type ScreenFault, type ScreenForm } from './confirm-screen-page.ts'
import { masjidsForScreens, readScreenForm, screenFaultIn } from './screen-decision.ts'

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

interface Typed {
  readonly chosen: ScreenForm
  readonly fault: ScreenFault | undefined
}

const nothingTyped: Typed = { chosen: { masjid: '', name: '' }, fault: undefined }

const showAsking = async (
  parts: AuthorizeParts,
  { view, session, address }: SignedInVisit,
  asking: AskingDevice,
  typed: Typed = nothingTyped,
): Promise<Answer> => {
  const looking = { address, now: parts.issuer.clock.now() }
  if (asking.client.grantsTo === 'person') return showPage(confirmDevicePage(view, asking, looking))
  const masjids = await masjidsForScreens(parts.database, session)
  const status = typed.fault === undefined ? 200 : 422
  return showPage(confirmScreenPage(view, asking, { looking, masjids, ...typed }), { status })
}

const showRequest = async (parts: AuthorizeParts, visit: SignedInVisit): Promise<Answer> =>
  showAsking(parts, visit, await requireDeviceRequest(parts, visit.query.text('request'), visit.session))

const decide = async (
  parts: AuthorizeParts,
  { form, session, address, view }: SignedInVisit,
  screen?: NewScreen,
): Promise<Answer> => {
  const decision = {
    id: form.text('request'),
    session,
    address,
    answer: form.text('decision'),
    screen,
    describe: describeConsent(view),
  }
  return redirectTo(`${DEVICE_PAGE}?done=${await decideDevice(parts, decision)}`)
}

const takeDecision = async (parts: AuthorizeParts, visit: SignedInVisit): Promise<Answer> => {
  const { form, session } = visit
  if (form.text('screen') === '' || form.text('decision') !== 'allow') return decide(parts, visit)
  const chosen = readScreenForm(form)
  const fault = screenFaultIn(chosen)
  if (fault === undefined) return decide(parts, visit, { masjidId: chosen.masjid, name: chosen.name })
  const asking = await requireDeviceRequest(parts, form.text('request'), session)
  return showAsking(parts, visit, asking, { chosen, fault })
}

export const addDevicePages = (server: FastifyInstance, parts: AuthorizeParts, frame: PageFrame): Promise<void> =>
  addPages(server, frame, routes => {
    routes.getSignedIn(DEVICE_PAGE, showCode)
    routes.postSignedIn(DEVICE_PAGE, visit => takeCode(parts, visit))
    routes.getSignedIn(CONFIRM_PAGE, visit => showRequest(parts, visit))
    routes.postSignedIn(DECIDE_ACTION, visit => takeDecision(parts, visit))
  })
