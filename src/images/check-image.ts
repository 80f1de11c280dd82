// Bytes from anywhere → an image that pages may show: PNG, JPEG or WebP by its content, of bounded size, rebuilt from the parts
// that make the picture, so that nothing rides along: no metadata, no second file behind the first.
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import type { ReadImage } from './read-image.ts'
import { ImageRefused } from './refused.ts'
import { readWebp } from './webp.ts'

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface CheckedImage {
  readonly type: ImageType
  readonly content: Buffer
}

const MOST_PIXELS = 1024

type Reader = (bytes: Buffer) => ReadImage | Promise<ReadImage>

const readerOf = (bytes: Buffer): readonly [ImageType, Reader] => {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return ['image/png', readPng]
  if (head.startsWith('\xff\xd8\xff')) return ['image/jpeg', readJpeg]
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return ['image/webp', readWebp]
  throw new ImageRefused('not_an_image')
}

/** @throws ImageRefused */
export const checkImage = async (bytes: Buffer): Promise<CheckedImage> => {
  const [type, read] = readerOf(bytes)
  // Reading past the end is a RangeError of Node's.
  const { width, height, content } = await Promise.try(read, bytes).catch(error => {
    throw error instanceof ImageRefused ? error : new ImageRefused('broken')
  })
  if (width < 1 || height < 1) throw new ImageRefused('broken')
  if (width > MOST_PIXELS || height > MOST_PIXELS) throw new ImageRefused('too_many_pixels')
  return { type, content }
}
