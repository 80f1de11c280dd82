// A body and the encodings a client accepts → the compressed body, if that pays off.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { preferencesOf } from './preferences.ts'

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) }

const compression = {
  threshold: 2048,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  zlibOptions: { level: 5 },
}

export type Encoding = keyof typeof pack

/** RFC 9110, section 12.5.3: identity is acceptable, unless it is given a weight. */
const choose = (acceptEncoding: string): Encoding | undefined => {
  const liked = new Map(preferencesOf(acceptEncoding).map(({ name, quality }) => [name, quality]))
  const asItIs = liked.get('identity') ?? 0
  const qualityOf = (encoding: Encoding): number => liked.get(encoding) ?? liked.get('*') ?? 0
  return compression.encodings
    .filter(encoding => qualityOf(encoding) > 0 && qualityOf(encoding) >= asItIs)
    .sort((one, other) => qualityOf(other) - qualityOf(one))[0]
}

/** Whether the response depends on the accepted encodings. */
export const isPackable = (bytes: number): boolean => bytes >= compression.threshold

export const encodingFor = (acceptEncoding: string | undefined, bytes: number): Encoding | undefined =>
  acceptEncoding === undefined || !isPackable(bytes) ? undefined : choose(acceptEncoding)

export const packed = (body: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? pack.br(body, compression.brotliOptions) : pack.gzip(body, compression.zlibOptions)
