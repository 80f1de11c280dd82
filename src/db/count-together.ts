// Counters of each process ↔ counters of all processes. A request never waits: it is judged by what is known locally,
// and the processes exchange their counts through the database four times a second.
import { createHmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { type Count, type Counting, createBudget, type Sharing, SKEW_MS } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import { deriveSecret } from '../base/secrets.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

export interface CountTogetherInput {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
  /** The secret of the installation. */
  readonly secret: string
}

export interface SharedCounting {
  readonly counting: Counting
  /** Exchanges counts now. */
  flush(): Promise<void>
  close(): Promise<void>
}

const EVERY_MS = 250
/** Keys beyond this wait for their next attempt; until then only this process counts them. */
const MOST_WAITING = 5000

interface Taken {
  readonly name: string
  readonly count: Count
  amount: number
}

interface Total {
  readonly key: string
  readonly tries: number | string
  readonly ends_at: Date
}

/** Not over, and not begun by a clock that has since been set back: that would lock people out for as long. */
const isCurrent = (now: Date) =>
  sql`c.ends_at > ${now} and c.ends_at <= excluded.ends_at + ${SKEW_MS} * interval '1 millisecond'`

/** In key order, so that two processes cannot deadlock. */
const add = (told: ReadonlyMap<string, Taken>, now: Date) => sql`
  insert into minaret.counts as c (key, tries, ends_at)
  select decode(t.key, 'hex'), t.tries, t.ends_at
  from unnest(${[...told.keys()]}::text[], ${[...told.values()].map(({ amount }) => amount)}::bigint[],
    ${[...told.values()].map(({ count }) => new Date(count.endsAt))}::timestamptz[]) as t (key, tries, ends_at)
  order by 1
  on conflict (key) do update set
    tries = case when ${isCurrent(now)} then c.tries else 0 end + excluded.tries,
    ends_at = case when ${isCurrent(now)} then c.ends_at else excluded.ends_at end
  returning encode(key, 'hex') as key, tries, ends_at`

const remove = (keys: readonly string[]) => sql`
  delete from minaret.counts where key = any (select decode(k, 'hex') from unnest(${keys}::text[]) as k)`

export const countTogether = ({ database, clock, log, secret }: CountTogetherInput): SharedCounting => {
  const sealing = deriveSecret(secret, 'counts')
  let taken = new Map<string, Taken>()
  let forgotten = new Set<string>()
  let telling: Promise<void> = Promise.resolve()
  let isTelling = false

  /** Keys are hashed, so that IP and email addresses never leave this process. */
  const seal = (name: string): string => createHmac('sha256', sealing).update(name).digest('hex')

  /** What was counted while the database responded is not in its total yet. */
  const learn = ({ name, count }: Taken, { tries, ends_at }: Total): void => {
    if (forgotten.has(name)) return
    const since = taken.get(name)
    count.tries = Number(tries) + (since?.count === count ? since.amount : 0)
    count.endsAt = ends_at.getTime()
  }

  const tell = async (): Promise<void> => {
    const told = new Map([...taken.values()].map(one => [seal(one.name), one]))
    const gone = [...forgotten].map(seal)
    taken = new Map()
    forgotten = new Set()
    if (gone.length > 0) await database.run(remove(gone))
    if (told.size === 0) return
    for (const total of await database.query<Total>(add(told, clock.now()))) learn(told.get(total.key) as Taken, total)
  }

  const flush = (): Promise<void> => {
    telling = telling
      .then(tell)
      .catch(error => log.warn({ err: error }, 'limits are temporarily counted by this process alone'))
    return telling
  }

  const sharingOf = (counter: string): Sharing => ({
    took: (key, count, amount) => {
      const name = `${counter} ${key}`
      const waiting = taken.get(name)
      if (waiting?.count === count) waiting.amount += amount
      else if (taken.size < MOST_WAITING) taken.set(name, { name, count, amount })
    },
    forgot: key => {
      const name = `${counter} ${key}`
      taken.delete(name)
      if (forgotten.size < MOST_WAITING) forgotten.add(name)
    },
  })

  /** One exchange at a time, so that they do not pile up while the database is unreachable. */
  const tellInTime = async (): Promise<void> => {
    if (isTelling || taken.size + forgotten.size === 0) return
    isTelling = true
    await flush()
    isTelling = false
  }
  const timer = setInterval(tellInTime, EVERY_MS).unref()
  return {
    counting: (name, rule) => createBudget(rule, clock, sharingOf(name)),
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
