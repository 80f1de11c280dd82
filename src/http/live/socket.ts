// One WebSocket, from its first message to its last, in either protocol. The credential comes with `connection_init`.
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
import { authorizationIn } from './authorization-in.ts'
import { closeCodes } from './close-codes.ts'
import type { ClientMessage, Dialect } from './dialects/dialect.ts'
import type { StreamOptions } from './distinct-streams.ts'
import { createOutgoing } from './outgoing.ts'

export interface OpenSocket {
  readonly socket: WebSocket
  readonly dialect: Dialect
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
const UNAUTHORIZED = 401

export const serveSocket = (options: StreamOptions, open: OpenSocket): void => {
  const { socket, dialect, transport, id, address, onClose } = open
  const { endpoint, entrance, live, connections } = options
  const { send, close, listen } = createOutgoing(socket, dialect)
  const operations = new Map<string, Subscription | undefined>()
  const abandoned = createAbandonment(() => socket.readyState !== socket.OPEN)
  /** What came before the connection was accepted: nothing more is read until it is. */
  const hurried: ClientMessage[] = []
  let session: Session | undefined
  let authorization: string | undefined
  let hasInit = false
  let running = 0
  let silent = 0

  const fail = (operation: string, { errors }: Pick<Refusal, 'errors'>): void => {
    operations.delete(operation)
    send(dialect.failed(operation, errors))
  }

  const refused = (operation: string, error: unknown): void =>
    fail(operation, refusalOf(error) ?? (refusalOf(toFault(error, { id, log: endpoint.telling.log })) as Refusal))

  const goOn = (): void => {
    if (running < MOST_RUNNING) listen()
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
      for (const text of dialect.accepted) send(text)
      for (const message of hurried.splice(0)) handle(message)
      goOn()
    } catch (error) {
      const fault = toFault(error, { id, log: endpoint.telling.log })
      close(fault.status === UNAUTHORIZED ? closeCodes.forbidden : closeCodes.tryAgainLater, fault.message)
    }
  }

  const once = async (operation: string, parameters: unknown): Promise<void> => {
    running += 1
    if (running >= MOST_RUNNING) socket.pause()
    const payload = await answerOnce(entrance, { parameters, authorization, address, abandoned })
    running -= 1
    goOn()
    // The client may have lost interest.
    if (!operations.delete(operation)) return
    const { data, errors } = JSON.parse(payload) as { data?: unknown; errors?: Refusal['errors'] }
    if (data === undefined && errors !== undefined) fail(operation, { errors })
    else {
      send(dialect.next(operation, payload))
      send(dialect.complete(operation))
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
        next: ({ payload }: { readonly payload: string }) => send(dialect.next(operation, payload)),
        fail: (refusal: Refusal) => fail(operation, refusal),
      }
      operations.set(operation, live.open({ request, session, address, sink }))
    } catch (error) {
      refused(operation, error)
    }
  }

  const stop = (operation: string): void => {
    operations.get(operation)?.end()
    if (operations.delete(operation)) send(dialect.stopped(operation))
  }

  const wait = (message: ClientMessage): void => {
    hurried.push(message)
    socket.pause()
  }

  const take = (message: ClientMessage): void => {
    if (message.type === 'init') {
      if (hasInit) return void close(closeCodes.tooManyInits, 'Too many initialisation requests')
      hasInit = true
      clearTimeout(initialising)
      void initialise(message.payload)
    } else if (message.type === 'terminate') socket.close(closeCodes.normal)
    else if (message.type === 'ping') send(dialect.pong(message.payload))
    else if (dialect.mayHurry && hasInit && session === undefined) wait(message)
    else if (message.type === 'start') subscribe(message.id, message.payload)
    else if (message.type === 'stop') stop(message.id)
  }

  const handle = (message: ClientMessage): void =>
    underWay.run({ method: 'WebSocket', route: PATH, id }, () => take(message))

  const misread = (): void => {
    if (dialect.forgives) send(dialect.complaint('Invalid message'))
    else close(closeCodes.badMessage, 'Invalid message')
  }

  const connection = {
    beat: () => {
      silent += 1
      if (silent > MOST_SILENT) return void socket.terminate()
      socket.ping()
      if (session !== undefined) send(dialect.aliveness)
    },
    leave: () => close(closeCodes.restart, 'The process is stopping. Connect again.'),
  }

  const initialising = setTimeout(() => close(closeCodes.initTimeout, 'Connection initialisation timeout'), INIT_MS)
  socket.on('message', (data, isBinary) => {
    silent = 0
    const message = isBinary ? undefined : dialect.read(data.toString())
    if (message === undefined) misread()
    else if (socket.readyState === socket.OPEN) handle(message)
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
