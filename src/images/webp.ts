// A WebP → its size, and a WebP of the chunks that make the picture. One that moves is refused.
// @see https://www.rfc-editor.org/rfc/rfc9649
import type { ReadImage } from './read-image.ts'
import { ImageRefused } from './refused.ts'

const HEAD = 12
const kept = ['VP8X', 'ALPH', 'VP8 ', 'VP8L']
const ALPHA = 0x10
const broken = (): ImageRefused => new ImageRefused('broken')

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const chunksOf = (bytes: Buffer): Chunk[] => {
  const chunks: Chunk[] = []
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) throw broken()
  for (let at = HEAD; at < end; ) {
    const length = bytes.readUInt32LE(at + 4)
    if (at + 8 + length > end) throw broken()
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

type Size = Pick<ReadImage, 'width' | 'height'>

const sizes: Readonly<Record<string, (data: Buffer) => Size>> = {
  VP8X: data => ({ width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) }),
  'VP8 ': data => {
    if (data.readUIntBE(3, 3) !== 0x9d012a) throw broken()
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  },
  VP8L: data => {
    if (data.readUInt8(0) !== 0x2f) throw broken()
    const packed = data.readUInt32LE(1)
    return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) }
  },
}

/** What VP8X promises beside the picture is left out, so that it must not be promised. */
const cleaned = ({ type, data }: Chunk): Chunk =>
  type === 'VP8X'
    ? { type, data: Buffer.concat([Buffer.from([data.readUInt8(0) & ALPHA]), data.subarray(1)]) }
    : { type, data }

const written = ({ type, data }: Chunk): Buffer => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The larger of what the chunks say: a small canvas around a huge picture is no small image. */
const sizeOf = (chunks: readonly Chunk[]): Size => {
  const all = chunks.flatMap(({ type, data }) => sizes[type]?.(data) ?? [])
  if (!chunks.some(({ type }) => type === 'VP8 ' || type === 'VP8L')) throw broken()
  return { width: Math.max(...all.map(({ width }) => width)), height: Math.max(...all.map(({ height }) => height)) }
}

export const readWebp = (bytes: Buffer): ReadImage => {
  const chunks = chunksOf(bytes)
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) throw new ImageRefused('animated')
  const body = Buffer.concat(chunks.filter(({ type }) => kept.includes(type)).map(one => written(cleaned(one))))
  const head = Buffer.alloc(HEAD)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  head.write('WEBP', 8, 'latin1')
  return { ...sizeOf(chunks), content: Buffer.concat([head, body]) }
}
