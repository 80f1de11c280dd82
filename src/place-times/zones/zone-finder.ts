// Coordinates → their time zone, from a thread of its own that starts with the first question; those found last are kept.
import { LRUCache } from 'lru-cache'
import { createSideThread } from '../../threads/side-thread.ts'
import type { Coordinates } from './find-zone.ts'
import type { ZoneTasks } from './zone-thread.ts'

export interface ZoneFinder {
  /** @param sender who takes turns with others. @throws {Fault} if too many wait */
  find(sender: string, coordinates: Coordinates): Promise<string>
  end(): Promise<void>
}

const MOST_KEPT = 20_000

export const createZoneFinder = (): ZoneFinder => {
  const thread = createSideThread<ZoneTasks>({
    script: new URL('./zone-thread.ts', import.meta.url),
    name: 'time zones',
  })
  const kept = new LRUCache<string, string>({ max: MOST_KEPT })
  return {
    find: async (sender, coordinates) => {
      const { latitude, longitude } = coordinates
      const key = `${latitude} ${longitude}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const zone = await thread.run(sender, 'find', { latitude, longitude })
      kept.set(key, zone)
      return zone
    },
    end: thread.end,
  }
}
