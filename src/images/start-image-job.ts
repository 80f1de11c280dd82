// The job that fetches images once, woken by new addresses and by the clock.

import type { Logger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { drainQueue, type QueueDrain } from '../db/drain-queue.ts'
import type { Listener } from '../db/listener.ts'
import type { WatchJob } from '../metrics/job-book.ts'
import type { Dial } from '../outbound/guarded-fetch.ts'
import { fetchBytes } from './fetch-bytes.ts'
import type { ImageChecker } from './image-checker.ts'
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
  readonly images: ImageChecker
  readonly watch?: WatchJob | undefined
}

const fetchOne = async ({ database, dial, images }: ImageJobInput, image: WaitingImage): Promise<void> => {
  try {
    const bytes = await fetchBytes(image.address, dial)
    await keepImage(database, image, await images.check(image.address, bytes))
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    await refuseImage(database, image, error)
  }
}

/** @returns whether the batch was full. One that fails for reasons of our own is tried again after its claim ends. */
const fetchBatch = async (input: ImageJobInput): Promise<boolean> => {
  const images = await claimImages(input.database, BATCH)
  const results = await Promise.allSettled(images.map(image => fetchOne(input, image)))
  for (const result of results)
    if (result.status === 'rejected') input.log.warn({ err: result.reason }, 'an image could not be stored')
  return images.length === BATCH
}

export const startImageJob = (input: ImageJobInput): Promise<QueueDrain> =>
  drainQueue({
    ...input,
    channel: 'minaret_images',
    pollMs: LOOK_EVERY_MS,
    runBatch: () => fetchBatch(input),
    failure: 'images could not be fetched',
  })
