// The job that fetches images once, woken by new addresses and by the clock.
import type { Logger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { checkImage } from './check-image.ts'
import { type Dial, fetchBytes, publicDial } from './fetch-bytes.ts'
import { claimImages, keepImage, refuseImage, type WaitingImage } from './images.ts'
import { ImageRefused } from './refused.ts'

const BATCH = 4
const LOOK_EVERY_MS = 60_000

export interface ImageJobInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  /** How images are fetched; only from the public internet unless a test says otherwise. */
  readonly dial?: Dial | undefined
}

const fetchOne = async ({ database, dial }: ImageJobInput, image: WaitingImage): Promise<void> => {
  try {
    await keepImage(database, image, await checkImage(await fetchBytes(image.address, dial ?? publicDial)))
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    await refuseImage(database, image, error)
  }
}

/** Fetches what waits; returns how many it tried. One that fails for reasons of our own is tried again after its claim ends. */
const fetchWaiting = async (input: ImageJobInput): Promise<number> => {
  const images = await claimImages(input.database, BATCH)
  const results = await Promise.allSettled(images.map(image => fetchOne(input, image)))
  for (const result of results)
    if (result.status === 'rejected') input.log.warn({ err: result.reason }, 'an image could not be stored')
  return images.length
}

export interface ImageJob {
  /** Ends after the images under way. */
  close(): Promise<void>
}

export const startImageJob = async (input: ImageJobInput): Promise<ImageJob> => {
  const { listener, log } = input
  let closed = false
  let working: Promise<void> = Promise.resolve()
  const drain = async (): Promise<void> => {
    while (!closed && (await fetchWaiting(input)) === BATCH);
  }
  const wake = (): void => {
    if (closed) return
    working = working.then(drain).catch(error => log.warn({ err: error }, 'images could not be fetched'))
  }
  await listener.on('minaret_images', wake)
  listener.onReconnected(wake)
  const timer = setInterval(wake, LOOK_EVERY_MS)
  timer.unref()
  wake()
  return {
    close: async () => {
      closed = true
      clearInterval(timer)
      await working
    },
  }
}
