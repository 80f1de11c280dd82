// A JPEG → its size, and a JPEG of the segments that make the picture: without Exif (which holds places), comments, thumbnails.
// @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf (annex B)
import type { ReadImage } from './read-image.ts'
import { ImageRefused } from './refused.ts'

const START = Buffer.from([0xff, 0xd8])
const END = 0xd9
const SCAN = 0xda
const ADOBE = 0xee
const broken = (): ImageRefused => new ImageRefused('broken')

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Tables, frames and scans; of the applications' segments only Adobe's, which says how colours are meant. */
const isKept = (marker: number): boolean => (marker >= 0xc0 && marker <= 0xdf) || marker === ADOBE

/** The first marker that ends the packed data of a scan: not a stuffed zero, not a restart. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  throw broken()
}

interface Size {
  width: number
  height: number
}

export const readJpeg = (bytes: Buffer): ReadImage => {
  const pieces: Buffer[] = [START]
  let size: Size | undefined
  for (let at = START.length; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw broken()
    const marker = bytes.readUInt8(at + 1)
    if (marker === END) break
    const length = bytes.readUInt16BE(at + 2)
    const end = marker === SCAN ? endOfScan(bytes, at + 2 + length) : at + 2 + length
    if (length < 2 || end > bytes.length) throw broken()
    if (isFrame(marker)) size ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (isKept(marker)) pieces.push(bytes.subarray(at, end))
    at = end
  }
  if (size === undefined) throw broken()
  return { ...size, content: Buffer.concat([...pieces, Buffer.from([0xff, END])]) }
}
