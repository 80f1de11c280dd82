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

const fetchOne = async (database: Database, image: WaitingImage, dial: Dial): Promise<void> => {
  try {
    await keepImage(database, image.address, await checkImage(await fetchBytes(image.address, dial)))
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    await refuseImage(database, image, error)
  }
}

/** Fetches what waits; returns how many it tried. */
const fetchWaiting = async (database: Database, dial: Dial): Promise<number> => {
  const images = await claimImages(database, BATCH)
  await Promise.all(images.map(image => fetchOne(database, image, dial)))
  return images.length
}

export interface ImageJob {
  /** Ends after the images under way. */
  close(): Promise<void>
}

export const startImageJob = async ({
  database,
  listener,
  log,
}: {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
}): Promise<ImageJob> => {
  let closed = false
  let working: Promise<void> = Promise.resolve()
  const drain = async (): Promise<void> => {
    while (!closed && (await fetchWaiting(database, publicDial)) === BATCH);
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
