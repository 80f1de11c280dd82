// Pictures that were drawn, in bounded memory.
import { LRUCache } from 'lru-cache'

const MOST_BYTES = 16 * 1024 * 1024
/** Kept in memory besides the bytes. */
const ENTRY_OVERHEAD = 500

export const createKeptPictures = (): LRUCache<string, Buffer> =>
  new LRUCache<string, Buffer>({
    maxSize: MOST_BYTES,
    sizeCalculation: png => png.byteLength + ENTRY_OVERHEAD,
  })
