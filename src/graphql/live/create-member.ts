// What is known when a subscription is opened → a member that is in no cohort yet.
import type { Endpoint } from '../entrance/entrance.ts'
import type { GraphqlRequest } from '../request.ts'
import type { Member, Sink } from './cohort.ts'
import type { Session } from './sessions.ts'

export interface Opening {
  readonly request: GraphqlRequest
  readonly session: Session
  /** Of the client, as networks are counted. */
  readonly address: string
  readonly sink: Sink
}

const neverAbandoned = { add: () => undefined, delete: () => undefined }

export const createMember = (endpoint: Endpoint, { request, session, address, sink }: Opening, id: string): Member => {
  // Not the request that it came with, which would stay in memory.
  const asked = { id, method: 'POST', url: '', headers: {}, body: undefined, abandoned: neverAbandoned } as const
  const askedFrom = { ...asked, clientAddress: () => address }
  return {
    id,
    request,
    session,
    sink,
    allowance: endpoint.admission.allowanceOf?.(session.grant, askedFrom),
    who: endpoint.admission.whoOf?.(askedFrom) ?? session.grant.appId ?? '',
    cohort: undefined,
    sent: undefined,
    isBehind: false,
    cursor: undefined,
  }
}
