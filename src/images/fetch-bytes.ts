// The address of an image → its bytes, from the public internet only. Redirects are not followed.
import { FetchRefused } from '../outbound/fetch-refused.ts'
import { type Dial, guardedFetch } from '../outbound/guarded-fetch.ts'
import { ImageRefused } from './refused.ts'

const MOST_BYTES = 512 * 1024
const headers = { accept: 'image/png, image/jpeg, image/webp' }

/** @throws ImageRefused */
export const fetchBytes = async (address: string, dial?: Dial): Promise<Buffer> => {
  try {
    return (await guardedFetch({ address, purpose: 'image', headers, mostBytes: MOST_BYTES }, dial)).bytes
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    const { reason, mayPass, status } = error
    throw new ImageRefused(reason, status === undefined ? { mayPass } : { mayPass, status })
  }
}
