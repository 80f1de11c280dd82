// One WebSocket, from its first message to its last: the protocol graphql-transport-ws. The credential comes with `connection_init`.
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Fault } from '../../base/fault.ts'
import { toFault } from '../../base/to-fault.ts'
import { underWay } from '../../base/under-way.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import { isSubscription } from '../../graphql/document.ts'
import { type Refusal, refusalOf } from '../../graphql/errors.ts'
import type { Subscription } from '../../graphql/live/live.ts'
import type { Session, SessionHolder } from '../../graphql/live/sessions.ts'
import { readRequest } from '../../graphql/request.ts'
import { createAbandonment } from '../graphql/abandonment-of.ts'
import { PATH } from '../graphql/paths.ts'
import { answerOnce } from './answer-once.ts'
import { closeCodes, reasonOf } from './close-codes.ts'
import type { StreamOptions } from './distinct-streams.ts'
import { authorizationIn, type ClientMessage, readMessage } from './read-message.ts'

export interface OpenSocket {
  readonly socket: WebSocket
  /** What it is sent over. */
  readonly transport: Socket
  readonly id: string
  /** Of the client, as networks are counted. */
  readonly address: string
  readonly onClose: () => void
}

/** How long a client may take to say who it is. */
const INIT_MS = 3000
/** Beats without a sign of life. */
const MOST_SILENT = 4
/** Queries and mutations in progress; more are not read. */
const MOST_RUNNING = 16
/** What may wait for a client that reads nothing. */
const MOST_UNREAD_BYTES = 1024 * 1024
/** For the client to answer a close. */
const CLOSE_MS = 1000
const UNAUTHORIZED = 401

export const serveSocket = (options: StreamOptions, { socket, transport, id, address, onClose }: OpenSocket): void => {
  const { endpoint, entrance, live, connections } = options
  const operations = new Map<string, Subscription | undefined>()
  const abandoned = createAbandonment(() => socket.readyState !== socket.OPEN)
  let session: Session | undefined
  let authorization: string | undefined
  let hasInit = false
  let running = 0
  let silent = 0

  const close = (code: number, words: string): void => {
    socket.close(code, reasonOf(words))
    setTimeout(() => socket.terminate(), CLOSE_MS)
  }

  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate()
    else socket.send(text)
  }

  const idText = (operation: string): string => JSON.stringify(operation)
  const sendNext = (operation: string, payload: string): void =>
    send(`{"id":${idText(operation)},"type":"next","payload":${payload}}`)
  const sendErrors = (operation: string, { errors }: Pick<Refusal, 'errors'>): void =>
    send(`{"id":${idText(operation)},"type":"error","payload":${JSON.stringify(errors)}}`)
  const sendComplete = (operation: string): void => send(`{"id":${idText(operation)},"type":"complete"}`)

  const refused = (operation: string, error: unknown): void => {
    operations.delete(operation)
    const { log } = endpoint
    sendErrors(operation, refusalOf(error) ?? (refusalOf(toFault(error, { id, log })) as Refusal))
  }

  const holder: SessionHolder = {
    onGrant: () => undefined,
    onConfirmed: () => undefined,
    onEnd: fault => close(closeCodes.forbidden, fault.message),
  }

  const initialise = async (payload: Readonly<Record<string, unknown>>): Promise<void> => {
    authorization = authorizationIn(payload)
    try {
      const opened = await withinDeadline(
        endpoint.engine.deadlineMs,
        live.sessions.open({ headers: { authorization }, clientAddress: address }),
      )
      if (socket.readyState !== socket.OPEN) return
      opened.hold(holder)
      session = opened
      send('{"type":"connection_ack"}')
    } catch (error) {
      const fault = toFault(error, { id, log: endpoint.log })
      close(fault.status === UNAUTHORIZED ? closeCodes.forbidden : closeCodes.tryAgainLater, fault.message)
    }
  }

  const once = async (operation: string, parameters: unknown): Promise<void> => {
    running += 1
    if (running >= MOST_RUNNING) socket.pause()
    const payload = await answerOnce(entrance, { parameters, authorization, address, abandoned })
    running -= 1
    if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume()
    // The client may have lost interest.
    if (!operations.delete(operation)) return
    const { data, errors } = JSON.parse(payload) as { data?: unknown; errors?: Refusal['errors'] }
    if (data === undefined && errors !== undefined) sendErrors(operation, { errors })
    else {
      sendNext(operation, payload)
      sendComplete(operation)
    }
  }

  const subscribe = (operation: string, parameters: unknown): void => {
    if (session === undefined) return void close(closeCodes.unauthorized, 'Unauthorized')
    if (operations.has(operation))
      return void close(closeCodes.subscriberExists, `Subscriber for ${operation} already exists`)
    operations.set(operation, undefined)
    try {
      const request = endpoint.persisted.resolve(readRequest(parameters))
      if (!isSubscription(request.query, request.operationName))
        return void once(operation, parameters).catch(error => refused(operation, error))
      const sink = {
        isReady: () => !transport.writableNeedDrain,
        next: ({ payload }: { readonly payload: string }) => sendNext(operation, payload),
        fail: (refusal: Refusal) => {
          operations.delete(operation)
          sendErrors(operation, refusal)
        },
      }
      operations.set(operation, live.open({ request, session, address, sink }))
    } catch (error) {
      refused(operation, error)
    }
  }

  const take = (message: ClientMessage): void => {
    if (message.type === 'connection_init') {
      if (hasInit) return void close(closeCodes.tooManyInits, 'Too many initialisation requests')
      hasInit = true
      clearTimeout(initialising)
      void initialise(message.payload)
    } else if (message.type === 'ping')
      send(JSON.stringify({ type: 'pong', ...(message.payload === undefined ? {} : { payload: message.payload }) }))
    else if (message.type === 'subscribe') subscribe(message.id, message.payload)
    else if (message.type === 'complete') {
      operations.get(message.id)?.end()
      operations.delete(message.id)
    }
  }

  const connection = {
    beat: () => {
      silent += 1
      if (silent > MOST_SILENT) socket.terminate()
      else socket.ping()
    },
    leave: () => close(closeCodes.restart, 'The process is stopping. Connect again.'),
  }

  const initialising = setTimeout(() => close(closeCodes.initTimeout, 'Connection initialisation timeout'), INIT_MS)
  socket.on('message', (data, isBinary) => {
    silent = 0
    const message = isBinary ? undefined : readMessage(data.toString())
    if (message === undefined) close(closeCodes.badMessage, 'Invalid message')
    else if (socket.readyState === socket.OPEN)
      underWay.run({ method: 'WebSocket', route: PATH, id }, () => take(message))
  })
  socket.on('pong', () => {
    silent = 0
  })
  transport.on('drain', () => {
    for (const subscription of operations.values()) subscription?.resume()
  })
  // The close event follows.
  socket.on('error', () => undefined)
  socket.once('close', () => {
    clearTimeout(initialising)
    connections.delete(connection)
    for (const subscription of operations.values()) subscription?.end()
    operations.clear()
    session?.release(holder)
    abandoned.tell()
    onClose()
  })
  try {
    connections.add(connection)
  } catch (error) {
    close(closeCodes.restart, (error as Fault).message)
  }
}
