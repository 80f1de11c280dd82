// A body and what the client can unpack → the body packed, where that pays.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** For the framework's plugin as well, so that both ways pack alike. */
export const compression = {
  // Of answers only: a body is at most 256 KiB, and a small one could unpack to anything.
  globalDecompression: false,
  threshold: 2048,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { level: 5 },
}

export type Encoding = keyof typeof pack

export const encodingFor = (acceptEncoding: string | undefined, bytes: number): Encoding | undefined =>
  acceptEncoding === undefined || bytes < compression.threshold
    ? undefined
    : (negotiate(acceptEncoding, compression.encodings) ?? undefined)

export const packed = (body: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? pack.br(body, compression.brotliOptions) : pack.gzip(body, compression.zlibOptions)
