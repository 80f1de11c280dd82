// /screen: the files of the screen in the hall, the QR code of its pairing, and what a paired screen shows.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { type AccessTokens, createAccessTokens } from '../../access/access-tokens.ts'
import { bearerOf } from '../../access/bearer.ts'
import { invalidToken } from '../../access/faults.ts'
import { createVerifyKeys } from '../../access/verify-keys.ts'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import type { Database } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import { notFound } from '../../http/not-found.ts'
import { DEVICE_PAGE } from '../../oauth/device/device-authorization.ts'
import { readUserCode, showUserCode } from '../../oauth/device/user-code.ts'
import type { Issuer } from '../../oauth/issuer.ts'
import { screenAudience } from '../../oauth/token-response.ts'
import {
  findKnownScreen,
  type KnownScreen,
  noteContact,
  readScreenAnnouncements,
  readScreenEvents,
  readScreenTimes,
  readSunrises,
} from '../../screens/read-screen.ts'
import { screenFiles } from './screen-files.ts'
import { screenState } from './screen-state.ts'

export interface ScreenParts {
  readonly database: Database
  readonly listener: Listener
  readonly baseUrl: string
  readonly provider: { readonly issuer: Issuer }
}

/** Anybody may put the screen into a page of theirs: there is nothing on it to click. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"

const addFiles = (server: FastifyInstance): void => {
  for (const { path, type, body } of screenFiles) {
    const tag = entityTag(body)
    server.get(path, async (request, reply) => {
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

/** The grant is looked up each time, so that a screen that was ended is refused at once, by every process. */
const screenOf = async (database: Database, tokens: AccessTokens, request: FastifyRequest): Promise<KnownScreen> => {
  const { grantId } = await tokens.verify(bearerOf(request.headers.authorization))
  const screen = grantId === undefined ? undefined : await findKnownScreen(database, grantId)
  if (screen === undefined) throw invalidToken('This screen is not connected any more.')
  return screen
}

const readState = async (database: Database, screen: KnownScreen): Promise<string> => {
  const [times, sunrises, announcements, events] = await Promise.all([
    readScreenTimes(database, screen),
    readSunrises(database, screen),
    readScreenAnnouncements(database, screen),
    readScreenEvents(database, screen),
  ])
  return JSON.stringify(screenState({ screen, times, sunrises, announcements, events }))
}

const sendState = async (
  { database }: ScreenParts,
  tokens: AccessTokens,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const screen = await screenOf(database, tokens, request)
  await noteContact(database, screen, { address: request.clientAddress, userAgent: request.headers['user-agent'] })
  const body = await readState(database, screen)
  const tag = entityTag(body)
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'authorization' })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

export const addScreenRoutes = async (server: FastifyInstance, parts: ScreenParts): Promise<void> => {
  const { database, listener, baseUrl, provider } = parts
  const verifyKeys = await createVerifyKeys(database, listener)
  const { clock } = provider.issuer
  const tokens = createAccessTokens({ issuer: baseUrl, audience: screenAudience(baseUrl), verifyKeys, clock })
  await listener.on('minaret_signing_keys', () => tokens.forget())
  addFiles(server)
  server.get<{ Params: { code: string } }>('/screen/qr/:code.svg', async (request, reply) =>
    sendQr(baseUrl, request.params.code, reply),
  )
  server.get('/screen/state', (request, reply) => sendState(parts, tokens, request, reply))
}
