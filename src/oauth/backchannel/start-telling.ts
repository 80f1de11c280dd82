// The job behind back-channel logout: sign-outs in a queue → logout tokens, posted to apps until they take them.
import { epochSeconds } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import { drainQueue, type QueueDrain } from '../../db/drain-queue.ts'
import type { Listener } from '../../db/listener.ts'
import type { WatchJob } from '../../metrics/job-book.ts'
import { FetchRefused } from '../../outbound/fetch-refused.ts'
import { guardedPost } from '../../outbound/guarded-post.ts'
import type { Dial } from '../../outbound/way.ts'
import type { Issuer } from '../issuer.ts'
import { claimNotices, finishNotice, type LogoutNotice, postponeNotice } from './logout-notices.ts'
import { mintLogoutToken } from './logout-token.ts'

const LOOK_EVERY_MS = 5000
const AT_ONCE = 32
/** So that it takes many apps that hang to hold up the others. */
const AT_ONCE_EACH = 2
const EXCERPT_BYTES = 500
const LAST_MOMENT_MS = 500

export interface TellingInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly issuer: Issuer
  readonly dial: Dial
  /** Whether apps may be on this machine: in development. */
  readonly loopback: boolean
  readonly watch?: WatchJob | undefined
}

type Outcome = 'told' | 'refused' | 'unreached'

/** Section 2.8: 200 (or 204), or 400 if the app cannot use the token; anything else may pass. */
const outcomeOf = (status: number): Outcome =>
  status >= 200 && status < 300 ? 'told' : status === 400 ? 'refused' : 'unreached'

const post = async (
  { issuer, dial, loopback }: TellingInput,
  { uri, clientId, algorithm, userId, sid }: LogoutNotice,
  stopping: AbortSignal,
): Promise<Outcome> => {
  const issuedAt = epochSeconds(issuer.clock.now())
  const claims = { issuer: issuer.baseUrl, clientId, userId, sid: sid ?? undefined, issuedAt }
  const token = await mintLogoutToken(issuer.keys.current().active[algorithm], claims)
  const posting = {
    address: uri,
    purpose: 'logout',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    excerptBytes: EXCERPT_BYTES,
    loopback,
    stopping,
  }
  try {
    return outcomeOf((await guardedPost(posting, dial)).status)
  } catch (error) {
    if (error instanceof FetchRefused) return error.mayPass ? 'unreached' : 'refused'
    throw error
  }
}

const tell = async (input: TellingInput, notice: LogoutNotice, stopping: AbortSignal): Promise<void> => {
  const { database, log } = input
  const outcome = await post(input, notice, stopping)
  if (outcome === 'unreached' && (await postponeNotice(database, notice))) return
  if (outcome !== 'told') log.warn({ app: notice.appId, outcome }, 'an app was not told of a sign-out')
  await finishNotice(database, notice.id)
}

/** The apps that are being told, each as often as it takes now. */
interface Telling {
  readonly count: () => number
  /** Those that are told nothing more for now. */
  readonly busy: () => string[]
  readonly start: (appId: string, work: () => Promise<void>) => void
  readonly finished: () => Promise<void>
}

const createTelling = (onFree: () => void, onFailure: (error: unknown) => void): Telling => {
  const underway = new Map<Promise<void>, string>()
  const countOf = (appId: string): number => [...underway.values()].filter(one => one === appId).length
  return {
    count: () => underway.size,
    busy: () => [...new Set(underway.values())].filter(appId => countOf(appId) >= AT_ONCE_EACH),
    start: (appId, work) => {
      const one = work()
        .catch(onFailure)
        .finally(() => {
          underway.delete(one)
          onFree()
        })
      underway.set(one, appId)
    },
    finished: async () => void (await Promise.all(underway.keys())),
  }
}

/** What is being sent when the process stops is sent again by the next one. */
export const startTelling = async (input: TellingInput): Promise<Pick<QueueDrain, 'close'>> => {
  const stopping = new AbortController()
  const failure = 'apps could not be told of sign-outs; it is tried again'
  const onFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) input.log.warn({ err: error }, failure)
  }
  // Once the queue is open: before that, nothing is being told.
  let onFree = (): void => undefined
  const telling = createTelling(() => onFree(), onFailure)
  const queue = await drainQueue({
    listener: input.listener,
    log: input.log,
    watch: input.watch,
    channel: 'minaret_logouts',
    pollMs: LOOK_EVERY_MS,
    runBatch: async () => {
      const free = AT_ONCE - telling.count()
      const notices = free > 0 ? await claimNotices(input.database, free, telling.busy()) : []
      for (const notice of notices) telling.start(notice.appId, () => tell(input, notice, stopping.signal))
      return notices.length > 0
    },
    failure,
  })
  onFree = queue.wake
  queue.wake()
  return {
    close: async () => {
      const lastMoment = setTimeout(() => stopping.abort(), LAST_MOMENT_MS)
      await queue.close()
      await telling.finished()
      clearTimeout(lastMoment)
    },
  }
}
