// A person's decision about a device → a grant that its next poll is answered with, or a refusal.
import type { Session } from '../../accounts/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { AuthorizeParts } from '../authorize/authorize-parts.ts'
import { keepShown, newConsent } from '../authorize/issue-code.ts'
import type { DescribeConsent } from '../authorize/shown-consent.ts'
import { invalidRequest } from '../oauth-fault.ts'
import { approveScreen, type NewScreen } from './approve-screen.ts'
import { type AskingDevice, decidable, deviceRequestExpired, requireDeviceRequest } from './device-request.ts'

export interface DeviceDecision {
  readonly id: string
  readonly session: Session
  readonly answer: string
  readonly address: string
  /** The words of the page. */
  readonly describe: DescribeConsent
  /** What the grant of a masjid needs besides. */
  readonly screen?: NewScreen | undefined
}

export type DeviceAnswer = 'allow' | 'deny'

/** One statement: consent, grant and the code's new state are written together, once. */
const approve = ({ client, request }: AskingDevice, { id, session, describe }: DeviceDecision) => sql`
  with code as (
    select code.id from minaret.device_codes as code where ${decidable(id, session)} for update
  ), consent as (
    ${newConsent({ client, request, session }, sql`from code`)}
  ), ${keepShown({ client, request, session }, describe(client, request))}, granted as (
    insert into minaret.grants (app_id, user_id, session_id, scopes, claims, auth_time, amr)
    select ${client.appId}, consent.user_id, ${session.id}, ${request.scopes}::text[], ${request.claims}::text[],
      ${session.authTime}, ${session.amr}::text[]
    from consent returning id
  )
  update minaret.device_codes as device set state = 'approved', decided_at = now(), grant_id = granted.id,
    claims = ${request.claims}::text[]
  from granted, code where device.id = code.id`

const deny = ({ id, session }: DeviceDecision) => sql`
  update minaret.device_codes as code set state = 'denied', decided_at = now() where ${decidable(id, session)}`

/** A double click sends the form twice, and the browser shows only the second answer. */
const wasAnswered = async (parts: AuthorizeParts, { id, session }: DeviceDecision, answer: DeviceAnswer) =>
  (await parts.database.first(sql`
    select from minaret.device_codes as code where code.id::text = ${id} and code.session_id = ${session.id}
      and (code.state = 'denied') = ${answer === 'deny'} and code.state <> 'pending'
      and code.decided_at > now() - interval '10 seconds'`)) !== undefined

const note = (parts: AuthorizeParts, { client, request }: AskingDevice, decision: DeviceDecision): void =>
  parts.audit.note({
    action: decision.answer === 'allow' ? 'oauth.consent_given' : 'oauth.consent_denied',
    actor: 'user',
    appId: client.appId,
    userId: decision.session.user.id,
    address: decision.address,
    detail: {
      scope: request.scopes.join(' '),
      claims: request.claims.join(' '),
      grant: 'device_code',
      device_address: request.address,
    },
  })

const readDeviceAnswer = (answer: string): DeviceAnswer => {
  if (answer !== 'allow' && answer !== 'deny') throw invalidRequest('The decision is neither allow nor deny.')
  return answer
}

const allowScreen = (parts: AuthorizeParts, asking: AskingDevice, { screen, ...decision }: DeviceDecision) => {
  if (screen === undefined) throw invalidRequest('A screen needs a masjid and a name.')
  return approveScreen(parts.database, asking, { ...decision, ...screen })
}

/** @throws {Fault} if the request has expired or was answered. */
export const decideDevice = async (parts: AuthorizeParts, decision: DeviceDecision): Promise<DeviceAnswer> => {
  const answer = readDeviceAnswer(decision.answer)
  if (await wasAnswered(parts, decision, answer)) return answer
  const asking = await requireDeviceRequest(parts, decision.id, decision.session)
  if (answer === 'allow' && asking.client.grantsTo === 'masjid') {
    await allowScreen(parts, asking, decision)
    return answer
  }
  const decided = await parts.database.run(answer === 'allow' ? approve(asking, decision) : deny(decision))
  if (decided === 0) throw deviceRequestExpired()
  note(parts, asking, decision)
  return answer
}
