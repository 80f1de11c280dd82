// A PNG → its size, and a PNG of the chunks that make the picture.
// @see https://www.w3.org/TR/png-3/
import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import type { ReadImage } from './read-image.ts'
import { ImageRefused } from './refused.ts'

const unpack = promisify(inflate)
const SIGNATURE = 8
const kept = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND']
/** Samples of a pixel, by colour type. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const broken = (): ImageRefused => new ImageRefused('broken')

interface Chunk {
  readonly type: string
  readonly data: Buffer
  readonly whole: Buffer
}

const chunksOf = (bytes: Buffer): Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE; chunks.at(-1)?.type !== 'IEND'; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw broken()
    const checked = bytes.subarray(at + 4, end - 4)
    if (crc32(checked) !== bytes.readUInt32BE(end - 4)) throw broken()
    chunks.push({ type: checked.toString('latin1', 0, 4), data: checked.subarray(4), whole: bytes.subarray(at, end) })
    at = end
  }
  return chunks
}

/** A few packed bytes can stand for gigabytes: what they unpack to must fit the size that the header names. */
const checkPixels = async (chunks: readonly Chunk[], most: number): Promise<void> => {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  await unpack(packed, { maxOutputLength: most }).catch(() => {
    throw broken()
  })
}

export const readPng = async (bytes: Buffer): Promise<ReadImage> => {
  const chunks = chunksOf(bytes)
  const [header] = chunks
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw broken()
  const width = header.data.readUInt32BE(0)
  const height = header.data.readUInt32BE(4)
  const bits = header.data.readUInt8(8) * (samples[header.data.readUInt8(9)] ?? 0)
  if (bits === 0 || bits > 64) throw broken()
  // Interlaced rows are shorter and more: never more than twice the bytes.
  const most = Math.min(2 * height * (Math.ceil((width * bits) / 8) + 1), 2 ** 25)
  await checkPixels(chunks, most)
  const content = Buffer.concat([
    bytes.subarray(0, SIGNATURE),
    ...chunks.filter(({ type }) => kept.includes(type)).map(({ whole }) => whole),
  ])
  return { width, height, content }
}
