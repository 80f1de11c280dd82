// The sandbox → what the landing page shows of it: today's times of one masjid, where all of them are, and the answer to the first query.
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { withinPatience } from '../../base/within-patience.ts'
import { knownReads } from '../../db/changes/known-reads.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import { MASJID_ALONE, type PublicMasjid } from '../masjid/public-masjid.ts'
import { type PublicTimes, readPublicTimes } from '../masjid/public-times.ts'

export interface MapMasjid {
  readonly city: string
  readonly country: string
  readonly latitude: number
  readonly longitude: number
}

export interface Showcase {
  readonly masjid: PublicMasjid
  readonly times: PublicTimes
  readonly masjids: readonly MapMasjid[]
  /** To the first query, as JSON. */
  readonly answer: string
}

export interface ShownCase {
  /** Undefined while the sandbox has no data, fails, or takes too long. */
  readonly showcase: Showcase | undefined
  /** For how many seconds it is shown. */
  readonly seconds: number
}

export interface ShowcaseParts {
  /** Of the sandbox. */
  readonly engine: Engine
  readonly clock: Clock
  readonly log: Logger
  readonly query: () => string
}

/** The one of the example queries. */
const SLUG = 'larkspur-lane-masjid'

const PLACE = 'city country latitude longitude'

/** A list has at most 100 rows. */
const PLACES = `query Places {
  first: up_masjids(order_by: [{id: asc}], limit: 100) { ${PLACE} }
  second: up_masjids(order_by: [{id: asc}], limit: 100, offset: 100) { ${PLACE} }
}`

interface Places {
  readonly first: readonly MapMasjid[]
  readonly second: readonly MapMasjid[]
}

/** Charged to this machine rather than to whoever happens to open the page. */
const address = '127.0.0.1'

const read = async ({ engine, clock, query }: ShowcaseParts): Promise<Showcase | undefined> => {
  const { masjid } = await askPublic<{ readonly masjid: PublicMasjid | null }>(engine, {
    query: MASJID_ALONE,
    variables: { slug: SLUG },
    address,
  })
  if (masjid === null) return undefined
  const times = await readPublicTimes(engine, { masjid, now: clock.now(), address })
  const { first, second } = await askPublic<Places>(engine, { query: PLACES, variables: {}, address })
  const data = await askPublic<unknown>(engine, { query: query(), variables: {}, address })
  return { masjid, times, masjids: [...first, ...second], answer: JSON.stringify({ data }, null, 2) }
}

const KEPT_MS = 60_000
const FAILED_MS = 5000
/** The page can do without. */
const LONGEST_WAIT_MS = 2000

/** Read at most once a minute, whoever asks. */
export const createShowcase = (parts: ShowcaseParts): (() => Promise<ShownCase>) => {
  let kept: { readonly until: number; readonly showcase: Promise<Showcase | undefined> } | undefined
  const readAgain = (now: number): Promise<Showcase | undefined> => {
    // Invented data: nobody changes them, and whoever asks first reads them for all.
    const showcase = knownReads
      .untraced(() => read(parts))
      .catch((error: unknown) => {
        parts.log.warn({ err: error }, 'the landing page could not read the sandbox')
        return undefined
      })
    kept = { until: now + KEPT_MS, showcase }
    void showcase.then(found => {
      if (found === undefined && kept?.showcase === showcase) kept = { until: now + FAILED_MS, showcase }
    })
    return showcase
  }
  return async () => {
    const now = parts.clock.now().getTime()
    const current = kept !== undefined && now < kept.until ? kept.showcase : readAgain(now)
    const showcase = await withinPatience(current, LONGEST_WAIT_MS)
    const leftMs = (kept?.until ?? 0) - parts.clock.now().getTime()
    return { showcase, seconds: showcase === undefined ? 0 : Math.max(0, leftMs / 1000) }
  }
}
