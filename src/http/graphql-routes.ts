// GET and POST /v1/graphql, as routes of the framework. Engine and credentials are given, so that the sandbox has the same.
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asksForChange } from '../graphql/document.ts'
import { fault } from '../graphql/errors.ts'
import { entityTag, isKnown } from './entity-tag.ts'
import { abandonmentOf } from './graphql/abandonment-of.ts'
import { compression } from './graphql/compression.ts'
import { crossOrigin } from './graphql/cross-origin.ts'
import { handle, writeFailure } from './graphql/handle.ts'
import { mediaOrJson } from './graphql/media-type.ts'
import { type Body, readBody } from './graphql/read-body.ts'
import { notOurMediaType, type RawRequests, requestsOfGet } from './graphql/read-requests.ts'
import { type HttpAnswer, isPublic } from './graphql/write-answer.ts'
import { createPost, PATH, type PostOptions, postOf } from './graphql-post.ts'

export interface GraphqlRoutes extends PostOptions {
  /** Whether answers that do not depend on who asks may be kept by caches that many share. */
  readonly cache: 'private' | 'public'
}

const FRESH_SECONDS = 60

/** As the endpoint itself has it; for requests that come from within, and for other ways to write the address. */
const post = (options: GraphqlRoutes) => {
  const answerPost = createPost(options)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack()
    await answerPost(postOf(request.id, request.raw, reply.raw, options.keep), request.body as Body | undefined)
  }
}

const send = (reply: FastifyReply, { status, headers, body }: HttpAnswer): FastifyReply =>
  reply.status(status).headers(headers).send(body)

const notForGet = (): Error =>
  fault('method-not-allowed', 'GET is for queries. Send anything else with POST.', { allow: 'POST' })

/** Answers that do not depend on who asks may be kept for a while, and asked for again by their tag. */
const get =
  (options: GraphqlRoutes) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = (): RawRequests => requestsOfGet(request.query as Record<string, unknown>)
    const exchange = { id: request.id, headers: request.headers, abandoned: abandonmentOf(reply.raw) }
    const { answer: written, media, outcomes, requests } = await handle(options, exchange, read)
    reply.type(`${media}; charset=utf-8`)
    const [outcome] = outcomes
    const [asked] = requests
    const isAsked = request.headers['x-minaret-explain'] !== undefined
    if (outcome === undefined || 'error' in outcome || isAsked || !isPublic(outcome.answer.cached.plan)) {
      if (asked !== undefined && asksForChange(asked.query, asked.operationName)) throw notForGet()
      return send(reply.header('cache-control', 'no-store'), written)
    }
    const tag = entityTag(written.body)
    reply.header('cache-control', `${options.cache}, max-age=${FRESH_SECONDS}`).header('etag', tag)
    if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
    return send(reply, written)
  }

const replyWithErrors = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const isMediaType = (error as { statusCode?: unknown } | null)?.statusCode === 415
  const { id, log } = request
  const answer = writeFailure(isMediaType ? notOurMediaType() : error, { id, log })
  const type = `${mediaOrJson(request.headers.accept)}; charset=utf-8`
  send(reply.header('cache-control', 'no-store').type(type), answer)
}

export const addGraphqlRoutes = async (server: FastifyInstance, options: GraphqlRoutes): Promise<void> => {
  await server.register(async scope => {
    await scope.register(cors, crossOrigin)
    await scope.register(compress, compression)
    scope.removeAllContentTypeParsers()
    // Both: the one for any type alone would be looked for anew with each request.
    scope.addContentTypeParser('application/json', readBody)
    scope.addContentTypeParser('*', readBody)
    scope.setErrorHandler(replyWithErrors)
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('vary', 'accept, authorization')
      done()
    })
    scope.get(PATH, get(options))
    scope.post(PATH, post(options))
    scope.route({
      method: ['PUT', 'PATCH', 'DELETE'],
      url: PATH,
      handler: async () => {
        throw fault('method-not-allowed', 'Use POST, or GET for queries.', { allow: 'GET, POST, OPTIONS' })
      },
    })
  })
}
