// SVG → PNG, drawn once for each drawing and kept: a flood of requests for the same picture costs one, whatever its addresses.
import { LRUCache } from 'lru-cache'
import { sha256Base64url } from '../../base/secrets.ts'
import type { DrawPicture } from '../drawing/draw-picture.ts'

const MOST_BYTES = 16 * 1024 * 1024
/** Kept in memory besides the bytes. */
const ENTRY_OVERHEAD = 500

export const keepPictures = (draw: DrawPicture): DrawPicture => {
  const kept = new LRUCache<string, Buffer>({
    maxSize: MOST_BYTES,
    sizeCalculation: png => png.byteLength + ENTRY_OVERHEAD,
  })
  const drawing = new Map<string, Promise<Buffer>>()
  const drawOnce = async (key: string, svg: string): Promise<Buffer> => {
    try {
      const png = await draw(svg)
      kept.set(key, png)
      return png
    } finally {
      drawing.delete(key)
    }
  }
  return svg => {
    const key = sha256Base64url(svg)
    const known = kept.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const waiting = drawing.get(key) ?? drawOnce(key, svg)
    drawing.set(key, waiting)
    return waiting
  }
}
