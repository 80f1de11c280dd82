// Serves our static files, under names that change with their content.
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { free } from '../../http/charges/charge.ts'
import { type Asset, assets, icon } from './assets.ts'

const LEAST_COMPRESSED = 1024

/** Compressed on first request and cached. */
const compressed = ({ body }: Asset): (() => Buffer) => {
  let smaller: Buffer | undefined
  return () => {
    smaller ??= gzipSync(body, { level: 9 })
    return smaller
  }
}

const inMemory = { config: { charge: free('a file in memory, which browsers keep') } }

const addAsset = (server: FastifyInstance, asset: Asset): void => {
  const gzipped = compressed(asset)
  server.get(asset.path, inMemory, async (request, reply) => {
    const small = asset.body.byteLength < LEAST_COMPRESSED
    const gzip = !small && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (gzip) reply.header('content-encoding', 'gzip')
    return reply
      .type(asset.type)
      .header('vary', 'accept-encoding')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(gzip ? gzipped() : asset.body)
  })
}

export const addAssetRoutes = (server: FastifyInstance, more: readonly Asset[] = []): void => {
  for (const asset of [...assets, ...more]) addAsset(server, asset)
  // Browsers request this name whatever the page declares.
  server.get('/favicon.ico', inMemory, async (_request, reply) =>
    reply.type(icon.type).header('cache-control', 'public, max-age=86400').send(icon.body),
  )
}
