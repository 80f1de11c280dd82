// GET /v1/schema.graphql and /v1/schema.json, and the same below /v1/relay: what the credential may read, as files for code generators.
import type { FastifyInstance } from 'fastify'
import type { PresentingRequest } from '../access/dpop/proof.ts'
import type { Grant } from '../access/grant.ts'
import { entityTag, isKnown } from '../base/entity-tag.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { createShowSchema, type SchemaFormat } from '../graphql/show-schema.ts'
import type { Charge } from './charges/charge.ts'

export interface SchemaRoutes {
  readonly engine: Engine
  /** Where the files stand. */
  readonly folder: string
  /** @throws {Fault} with status 401 for a missing or invalid credential. */
  readonly authenticate: (request: PresentingRequest) => Promise<Grant>
  readonly charge: Charge
}

interface SchemaFile {
  readonly name: string
  readonly format: SchemaFormat
  readonly type: string
}

const files: readonly SchemaFile[] = [
  { name: 'schema.graphql', format: 'sdl', type: 'application/graphql; charset=utf-8' },
  { name: 'schema.json', format: 'introspection', type: 'application/json; charset=utf-8' },
]

/** It follows the structure of the database, so a copy must be revalidated each time, by its ETag. */
export const addSchemaRoutes = (
  server: FastifyInstance,
  { engine, folder, authenticate, charge }: SchemaRoutes,
): void => {
  const show = createShowSchema()
  for (const { name, format, type } of files)
    server.get(`${folder}/${name}`, { config: { charge } }, async (request, reply) => {
      const grant = await authenticate(request)
      const text = show(engine.structures.current(), grant, format)
      const tag = entityTag(text)
      reply
        .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache', vary: 'authorization', etag: tag })
        .header('x-content-type-options', 'nosniff')
      if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
      return reply.type(type).send(text)
    })
}
