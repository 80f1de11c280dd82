// Masjids that somebody asks for the times of → noted in the database, in the background, each once a day: whoever reads waits for nothing.
import { LRUCache } from 'lru-cache'
import { dateOf, dayNumberAt } from '../../base/civil-date.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { isUuid } from '../../base/uuid.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** By its id or slug. Returns at once. */
export type NoteAsked = (masjid: string) => void

export interface AskedMasjids {
  readonly note: NoteAsked
  close(): Promise<void>
}

export interface AskedInput {
  /** On the primary. */
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
  /** How many that nobody looks after are stored in a minute, and at a time. */
  readonly askedPerMinute: number
  readonly askedMasjids: number
}

const FLUSH_MS = 1000
const MOST_KNOWN = 20_000
const MOST_WAITING = 1000

/** False if some of them are not stored, as there is no room at the moment. */
const ask = async (
  { database, askedPerMinute, askedMasjids }: AskedInput,
  masjids: readonly string[],
  today: string,
): Promise<boolean> => {
  const row = await database.first<{ all: boolean }>(sql`
    select public.ask_for_days(array(
      select id from public.up_masjids where deleted_at is null
        and (id = any (${masjids.filter(isUuid)}::uuid[]) or slug = any (${masjids.filter(one => !isUuid(one))}::text[]))
    ), ${today}::date, ${askedPerMinute}, ${askedMasjids}) as all`)
  return row?.all === true
}

export const createAskedMasjids = (input: AskedInput): AskedMasjids => {
  const { clock, log } = input
  const known = new LRUCache<string, number>({ max: MOST_KNOWN })
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  /** What could not be noted is noted when it is asked for again. */
  const write = async (): Promise<void> => {
    const masjids = [...waiting]
    waiting.clear()
    const isNoted = await ask(input, masjids, dateOf(dayNumberAt(clock.now()))).catch(error => {
      log.warn({ err: error }, 'the masjids that were asked for could not be noted')
      return false
    })
    if (!isNoted) for (const masjid of masjids) known.delete(masjid)
  }

  const flush = (): void => {
    timer = undefined
    writing = write().then(() => {
      writing = undefined
      if (waiting.size > 0) plan()
    })
  }

  const plan = (): void => {
    if (timer === undefined && writing === undefined) timer = setTimeout(flush, FLUSH_MS).unref()
  }

  return {
    note: masjid => {
      const today = dayNumberAt(clock.now())
      if (known.get(masjid) === today || waiting.size >= MOST_WAITING) return
      known.set(masjid, today)
      waiting.add(masjid)
      plan()
    },
    close: async () => {
      clearTimeout(timer)
      waiting.clear()
      await writing
    },
  }
}
