// What one process counts, created once at startup. Requests are measured only if somebody can see it.
import type { Logger } from '../base/log.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { createAccessLog } from './access-log.ts'
import { type Counter, createCounter } from './counter.ts'
import type { Family } from './family.ts'
import { createJobBook, type JobBook } from './job-book.ts'
import { createOperationMeter, type OperationMeter } from './operation-meter.ts'
import { type Answered, createRequestMeter } from './request-meter.ts'

export type ListenerName = 'main' | 'sandbox'
export type Observe = (answered: Answered) => void

export interface Watching {
  readonly jobs: JobBook
  /** By grant and outcome. */
  readonly tokens: Counter
  /** By outcome. */
  readonly mail: Counter
  /** By outcome. */
  readonly webhooks: Counter
  /** Masjids whose rows had to be mended, by schema. */
  readonly announcedTimes: Counter
  /** Undefined if requests are neither counted nor logged. */
  readonly observe: Readonly<Record<ListenerName, Observe | undefined>>
  /** Undefined if operations are not counted. */
  readonly operations: Readonly<Record<ListenerName, OperationMeter | undefined>>
  /** Figures that somebody else keeps are collected by calling them. */
  add(collect: () => readonly Family[]): void
  families(): Family[]
  /** Writes what waits for the access log. */
  close(): void
}

export interface WatchingOptions {
  readonly metrics: boolean
  readonly logsAccess: boolean
  readonly log: Logger
  readonly tracer?: Tracer | undefined
  /** Of the error that a job ended with. */
  readonly isDatabaseAway: (error: unknown) => boolean
}

const all = (observers: readonly Observe[]): Observe | undefined => {
  if (observers.length < 2) return observers[0]
  return answered => {
    for (const observe of observers) observe(answered)
  }
}

/** These have traces of their own, with what is inside. */
const tracedElsewhere = new Set<string | undefined>(['/v1/graphql', '/v1/relay'])

const traceRequests =
  (tracer: Tracer): Observe =>
  ({ id, method = '_OTHER', route, status, ms, traceparent }) => {
    if (tracedElsewhere.has(route)) return
    const endedAt = performance.now()
    const times = { startedAt: endedAt - ms, endedAt }
    tracer.request({ ...times, method, route, status, requestId: id, traceparent, steps: [] })
  }

/** Metrics of the same name from several meters are one family. */
const merge = (families: readonly Family[]): Family[] => {
  const byName = new Map<string, Family>()
  for (const family of families) {
    const known = byName.get(family.name)
    byName.set(family.name, known === undefined ? family : { ...known, values: [...known.values, ...family.values] })
  }
  return [...byName.values()]
}

export const createWatching = ({ metrics, logsAccess, log, tracer, isDatabaseAway }: WatchingOptions): Watching => {
  const accessLog = logsAccess ? createAccessLog(log) : undefined
  const names = ['main', 'sandbox'] as const
  const requests = metrics ? names.map(createRequestMeter) : []
  const meters = metrics ? names.map(createOperationMeter) : []
  const jobs = createJobBook(isDatabaseAway)
  const tokens = createCounter({
    name: 'minaret_oauth_tokens_total',
    help: 'Requests to the token endpoint, by grant and outcome: issued, or the error code.',
    labels: ['grant', 'outcome'],
  })
  const mail = createCounter({
    name: 'minaret_mail_total',
    help: 'Attempts to send a mail, by outcome.',
    labels: ['outcome'],
    known: [['sent'], ['failed']],
  })
  const webhooks = createCounter({
    name: 'minaret_webhooks_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labels: ['outcome'],
    known: [['delivered'], ['failed'], ['withheld']],
  })
  const announcedTimes = createCounter({
    name: 'minaret_announced_times_mended_total',
    help: 'Masjids whose announced times did not agree with their rules when they were checked. 0 is right.',
    labels: ['schema'],
    known: [['public'], ['sandbox']],
  })
  const collectors: (() => readonly Family[])[] = [
    () => requests.map(meter => meter.family()),
    () => meters.flatMap(meter => meter.families()),
    jobs.families,
    () => [tokens.family(), mail.family(), webhooks.family(), announcedTimes.family()],
  ]
  const observerOf = (listener: ListenerName, index: number): Observe | undefined => {
    const meter = requests[index]
    return all([
      ...(meter === undefined ? [] : [meter.observe]),
      ...(accessLog === undefined ? [] : [accessLog.of(listener)]),
      ...(tracer === undefined ? [] : [traceRequests(tracer)]),
    ])
  }
  return {
    jobs,
    tokens,
    mail,
    webhooks,
    announcedTimes,
    observe: { main: observerOf('main', 0), sandbox: observerOf('sandbox', 1) },
    operations: { main: meters[0], sandbox: meters[1] },
    add: collect => void collectors.push(collect),
    families: () => merge(collectors.flatMap(collect => collect())),
    close: () => accessLog?.flush(),
  }
}
