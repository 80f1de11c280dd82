// /screen: the files of the screen in the hall, the QR code of its pairing, and what a paired screen shows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { bearerOf } from '../../access/bearer.ts'
import type { Access } from '../../access/create-access.ts'
import { invalidToken } from '../../access/faults.ts'
import type { ScreenToken } from '../../access/screen-tokens.ts'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import type { Database } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { free, points, pointsOfStrangers } from '../../http/charges/charge.ts'
import { chargingRefusal } from '../../http/charges/charge-addresses.ts'
import type { OpenConnections } from '../../http/live/open-connections.ts'
import { notFound } from '../../http/not-found.ts'
import { DEVICE_PAGE } from '../../oauth/device/device-authorization.ts'
import { readUserCode, showUserCode } from '../../oauth/device/user-code.ts'
import type { Issuer } from '../../oauth/issuer.ts'
import { type Contact, noteContact } from '../../screens/note-contact.ts'
import { findKnownScreen } from '../../screens/read-screen.ts'
import { createScreenChanges } from '../../screens/screen-changes.ts'
import type { PageFrame } from '../frame/page-routes.ts'
import { readState, stateShelf } from './kept-state.ts'
import { screenFiles } from './screen-files.ts'
import { createScreenStreams, type ScreenStreams } from './screen-streams.ts'

export interface ScreenParts {
  readonly database: Database
  readonly listener: Listener
  readonly baseUrl: string
  readonly provider: { readonly issuer: Issuer }
  readonly access: Access
  readonly graphql: Engine
  readonly connections: OpenConnections
  readonly pages: Pick<PageFrame, 'kept'>
}

/** Anybody may put the screen into a page of theirs: there is nothing on it to click. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"

const file = free('a file in memory; a screen asks for it again only if it has changed')

const addFiles = (server: FastifyInstance): void => {
  for (const { path, type, body } of screenFiles) {
    const tag = entityTag(body)
    server.get(path, { config: { charge: file } }, async (request, reply) => {
      reply.headers({
        etag: tag,
        'cache-control': 'no-cache',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'service-worker-allowed': '/screen',
        'x-content-type-options': 'nosniff',
      })
      if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
      return reply.type(type).send(body)
    })
  }
}

const sendQr = (baseUrl: string, typed: string, reply: FastifyReply): FastifyReply => {
  const code = readUserCode(typed)
  if (code === undefined) throw notFound()
  const address = `${baseUrl}${DEVICE_PAGE}?${new URLSearchParams({ user_code: showUserCode(code) })}`
  return reply
    .headers({ 'cache-control': 'no-store' })
    .type('image/svg+xml')
    .send(renderSVG(address, { border: 2 }))
}

const notConnected = (): Error => invalidToken('This screen is not connected any more.')

const tokenOf = ({ access }: ScreenParts, request: FastifyRequest): Promise<ScreenToken> => {
  const authenticate = async () => access.authenticateScreen(bearerOf(request.headers.authorization))
  return chargingRefusal(request, authenticate())
}

const contactOf = ({ clientAddress, headers }: FastifyRequest): Contact => ({
  address: clientAddress,
  userAgent: headers['user-agent'],
})

/** The grant is looked up each time, so that a screen that was ended is refused at once, by every process. */
const sendState = async (
  parts: ScreenParts,
  shelf: ReturnType<typeof stateShelf>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { grantId } = await tokenOf(parts, request)
  const { database, graphql } = parts
  const screen = await findKnownScreen(database, grantId)
  const state = screen && (await readState(shelf, { database, graphql, grantId, screen }))
  if (state === undefined) throw notConnected()
  await noteContact(database, grantId, contactOf(request))
  const { body, tag } = state
  reply.headers({
    etag: tag,
    'cache-control': 'private, no-cache',
    vary: 'authorization',
    // By which the screen sets its clock: that of the device may be wrong.
    'minaret-time': String(parts.provider.issuer.clock.now().getTime()),
  })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

const sendChanges = async (
  parts: ScreenParts,
  streams: ScreenStreams,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { database } = parts
  const token = await tokenOf(parts, request)
  const screen = await findKnownScreen(database, token.grantId)
  if (screen === undefined) throw notConnected()
  await noteContact(database, token.grantId, contactOf(request))
  const confirm = () => tokenOf(parts, request)
  await streams.open({ ...token, masjidId: screen.masjidId, confirm }, request, reply)
  return reply
}

const openStreams = async ({ database, graphql, listener, access, connections, provider }: ScreenParts) => {
  const { revocations } = access
  const changes = await createScreenChanges({ changes: graphql.watchChanges(), listener, revocations })
  const { clock } = provider.issuer
  return createScreenStreams({ database, changes, connections, clock, deadlineMs: graphql.deadlineMs })
}

export const addScreenRoutes = async (server: FastifyInstance, parts: ScreenParts): Promise<void> => {
  const streams = await openStreams(parts)
  server.addHook('onClose', async () => streams.close())
  addFiles(server)
  server.get<{ Params: { code: string } }>(
    '/screen/qr/:code.svg',
    { config: { charge: points(5) } },
    async (request, reply) => sendQr(parts.baseUrl, request.params.code, reply),
  )
  const ofScreens = { config: { charge: pointsOfStrangers(2) } }
  const shelf = stateShelf(parts.pages.kept)
  server.get('/screen/state', ofScreens, async (request, reply) => sendState(parts, shelf, request, reply))
  server.get('/screen/changes', ofScreens, async (request, reply) => sendChanges(parts, streams, request, reply))
}
