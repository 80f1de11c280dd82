// A result and one of its subscribers → sent, unless the subscriber has it already or cannot take it now. Each push is charged, counted
// and, if it shows people, recorded like a response.

import { chargeOf } from '../entrance/charge-operations.ts'
import type { Endpoint } from '../entrance/entrance.ts'
import type { Member } from './cohort.ts'
import type { ReadResult } from './read-cohort.ts'

export type Sent = 'sent' | 'known' | 'behind' | 'unaffordable'

const isAffordable = ({ allowance, cohort }: Member): boolean => {
  if (allowance === undefined || cohort === undefined) return true
  try {
    allowance.take(chargeOf(cohort.operation.prepared.cached.plan))
    return true
  } catch {
    return false
  }
}

/** An empty batch of a stream says nothing. */
const isNews = (member: Member, { result, cursor }: ReadResult): boolean =>
  member.cohort?.operation.batchSize === undefined ? member.sent !== result.fingerprint : cursor !== undefined

/** The first result was paid for when the subscription was opened. */
const isFirst = ({ sent }: Member): boolean => sent === undefined

const record = ({ engine, telling: { record: count } }: Endpoint, member: Member, { data, rows }: ReadResult): void => {
  const { grant } = member.session
  const cached = member.cohort?.operation.prepared.cached
  if (cached?.personal === true) engine.readLog.note(grant, cached.plan, data)
  const { appId, keyId } = grant
  if (appId !== undefined)
    count({ appId, keyId, milliseconds: 0, query: member.request.query, outcome: 'answered', rows })
}

export const sendTo = (endpoint: Endpoint, member: Member, read: ReadResult): Sent => {
  if (!isNews(member, read)) return 'known'
  if (member.isBehind || !member.session.isConfirmed || !member.sink.isReady()) {
    member.isBehind = true
    return 'behind'
  }
  if (!isFirst(member) && !isAffordable(member)) {
    member.isBehind = true
    return 'unaffordable'
  }
  member.sent = read.result.fingerprint
  member.cursor = read.cursor ?? member.cursor
  record(endpoint, member, read)
  member.sink.next(read.result)
  return 'sent'
}
