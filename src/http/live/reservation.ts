// A reserved stream → the operations on it, each with its id, from its reservation to its end.
import type { ServerResponse } from 'node:http'
import { parseExact } from '../../base/exact-json.ts'
import { Fault } from '../../base/fault.ts'
import { isSubscription } from '../../graphql/document.ts'
import type { IncomingRequest } from '../../graphql/entrance/transport.ts'
import type { Refusal } from '../../graphql/errors.ts'
import type { Subscription } from '../../graphql/live/live.ts'
import type { Session, SessionHolder } from '../../graphql/live/sessions.ts'
import type { GraphqlRequest } from '../../graphql/request.ts'
import { createAbandonment } from '../graphql/abandonment-of.ts'
import { answerOnce } from './answer-once.ts'
import type { StreamOptions } from './distinct-streams.ts'
import { type EventStream, eventOf, openEventStream } from './event-stream.ts'

export interface Reserved {
  readonly session: Session
  /** Of the client, as networks are counted. */
  readonly address: string
  readonly onEnd: () => void
}

interface Begun {
  readonly id: string
  readonly session: Session
  readonly authorization: string | undefined
  readonly request: GraphqlRequest
  readonly raw: IncomingRequest
}

export interface Reservation {
  isOf(session: Session): boolean
  /** One connection at a time. @throws {Fault} if there is one. */
  connect(response: ServerResponse, requestId: string): void
  /** @throws like a query, and {Fault} if there is one with the same id. */
  begin(begun: Begun): void
  stop(id: string): void
}

/** A reservation that nobody connects to is given up. */
const CONNECT_MS = 10_000
/** Operations at a time, with those that have one result. */
const MOST_OPERATIONS = 1000

const conflict = (message: string): Fault => new Fault({ code: 'bad_request', status: 409, message })

export const openReservation = (options: StreamOptions, { session, address, onEnd }: Reserved): Reservation => {
  const { endpoint, entrance, live, connections } = options
  const operations = new Map<string, Subscription | undefined>()
  let stream: EventStream | undefined
  let hasEnded = false
  const abandoned = createAbandonment(() => hasEnded)

  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(unused)
    for (const subscription of operations.values()) subscription?.end()
    operations.clear()
    session.release(holder)
    abandoned.tell()
    stream?.end()
    onEnd()
  }
  const holder: SessionHolder = { onGrant: () => undefined, onConfirmed: () => undefined, onEnd: end }
  session.hold(holder)
  const unused = setTimeout(end, CONNECT_MS).unref()

  const sendNext = (id: string, payload: string): void =>
    stream?.write(eventOf('next', `{"id":${JSON.stringify(id)},"payload":${payload}}`))
  const sendComplete = (id: string): void => {
    operations.delete(id)
    stream?.write(eventOf('complete', `{"id":${JSON.stringify(id)}}`))
  }

  const once = async ({ id, authorization, raw }: Begun): Promise<void> => {
    const parameters = raw.body?.kind === 'bytes' ? parseExact(raw.body.bytes.toString()) : {}
    const payload = await answerOnce(entrance, { parameters, authorization, address, abandoned })
    if (!operations.has(id)) return
    sendNext(id, payload)
    sendComplete(id)
  }

  const subscribe = ({ id, session: own, request }: Begun): Subscription =>
    live.open({
      request,
      session: own,
      address,
      sink: {
        isReady: () => stream?.isReady() === true,
        next: ({ payload }) => sendNext(id, payload),
        fail: ({ errors }: Refusal) => {
          sendNext(id, JSON.stringify({ errors }))
          sendComplete(id)
        },
      },
    })

  const resumeAll = (): void => {
    for (const subscription of operations.values()) subscription?.resume()
  }

  return {
    isOf: ({ grant }) =>
      grant.kind === session.grant.kind && grant.appId === session.grant.appId && grant.userId === session.grant.userId,
    connect: (response, requestId) => {
      if (stream !== undefined) throw conflict('The stream is open already.')
      clearTimeout(unused)
      stream = openEventStream(response, { connections, requestId, onDrain: resumeAll, onClose: end })
      resumeAll()
    },
    begin: begun => {
      const { id, request } = begun
      if (operations.has(id)) throw conflict(`There is an operation with the id ${id} already.`)
      if (operations.size >= MOST_OPERATIONS) throw conflict(`A stream carries at most ${MOST_OPERATIONS} operations.`)
      if (isSubscription(request.query, request.operationName)) return void operations.set(id, subscribe(begun))
      operations.set(id, undefined)
      void once(begun).catch(error => {
        endpoint.telling.log.error({ err: error }, 'a result could not be sent')
        sendComplete(id)
      })
    },
    stop: id => {
      operations.get(id)?.end()
      operations.delete(id)
    },
  }
}
