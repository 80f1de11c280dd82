// The bars: what each figure must reach, and whether it did.
import type { Result } from '../measure/rounds.ts'
import type { Interval } from '../measure/statistics.ts'

/** A figure that is not a rate: seconds to ready, MiB under load. */
export interface Reading {
  readonly name: string
  readonly title: string
  readonly value: number
  readonly unit: string
  /** If it was measured several times; a figure measured once is judged as it is. */
  readonly interval?: Interval | undefined
  readonly note?: string
}

export interface Findings {
  readonly results: readonly Result[]
  readonly readings: readonly Reading[]
}

interface RatioBar {
  readonly kind: 'ratio'
  readonly scenario: string
  /** Minaret's rate over this contender's. */
  readonly over: string
  readonly least: number
}

interface BoundBar {
  readonly kind: 'most'
  readonly reading: string
  readonly most: number
}

type Bar = RatioBar | BoundBar

const ratio = (scenario: string, over: string, least: number): Bar => ({ kind: 'ratio', scenario, over, least })
const most = (reading: string, limit: number): Bar => ({ kind: 'most', reading, most: limit })

export const POSTGRAPHILE = 'PostGraphile'
export const HAND_WRITTEN = 'hand-written'
export const PGBENCH = 'pgbench'
export const OIDC_MEMORY = 'oidc-provider, memory'
export const OIDC_POSTGRESQL = 'oidc-provider, PostgreSQL'
export const SIGNING_LIMIT = 'Fastify that only signs'
export const WITHOUT_POLICIES = 'the same list without policies'
export const NOTHING_CALCULATED = 'with nothing to calculate'
export const MAIN_LIST = 'the list on the main endpoint'
export const BY_NODE = "by Node's server alone"
export const WITHOUT_AUDIT = 'Minaret without the audit trail'
export const WITHOUT_TRIGGERS = 'the same without triggers'
export const WITHOUT_LOG = 'the same without the change log'
export const LIST = 'the list query'
export const ITS_QUERY = 'its GraphQL query'
export const WITHOUT_MEMORY = 'the same without answers in memory'
export const HEALTH = 'GET /healthz'
export const ADHAN_ROUTE = 'adhan in a bare Fastify route'

export const BY_KEY = 'one masjid by its key'
export const BARE_ROUTE = 'Fastify that sends as many bytes'

const bars: readonly Bar[] = [
  ratio('times.day', BY_KEY, 0.7),
  ratio('times.month', BY_KEY, 0.35),
  ratio('times.next', BY_KEY, 0.35),
  ratio('times.list', BY_KEY, 0.2),
  ratio('times.jumuah', BY_KEY, 0.4),
  ...['', '-changing'].flatMap(kind => [
    ratio(`pages.masjid${kind}`, HEALTH, 0.25),
    ratio(`pages.landing${kind}`, HEALTH, 0.25),
    ratio(`pages.find${kind}`, HEALTH, 0.2),
    ratio(`pages.month${kind}`, HEALTH, 0.1),
    ratio(`pages.calendar${kind}`, HEALTH, 0.1),
  ]),
  ratio('places.memory', HEALTH, 0.6),
  ratio('places.calculated', ADHAN_ROUTE, 0.8),
  most('places.year', 3),
  ratio('assistants.query', ITS_QUERY, 0.5),
  ratio('graphql.list', POSTGRAPHILE, 5),
  ratio('graphql.list', HAND_WRITTEN, 0.9),
  ratio('graphql.list', PGBENCH, 0.8),
  ratio('graphql.by-key', POSTGRAPHILE, 5),
  ratio('graphql.by-key', HAND_WRITTEN, 1.3),
  ratio('graphql.secured', WITHOUT_POLICIES, 0.5),
  ratio('authorization.client-credentials', OIDC_MEMORY, 2),
  ratio('authorization.client-credentials', SIGNING_LIMIT, 0.8),
  ratio('authorization.code', OIDC_POSTGRESQL, 1.5),
  ratio('authorization.refresh', OIDC_POSTGRESQL, 1.5),
  ratio('sandbox.cached', MAIN_LIST, 3),
  ratio('answers.list', POSTGRAPHILE, 18),
  ratio('answers.list', HAND_WRITTEN, 3.5),
  ratio('answers.distinct', WITHOUT_MEMORY, 0.95),
  ratio('answers.sandbox', HEALTH, 0.6),
  ratio('entrance.plain', BY_NODE, 1.2),
  ratio('entrance.refused', LIST, 1),
  ratio('entrance.refused-fresh', LIST, 1),
  ratio('prayer.beside', NOTHING_CALCULATED, 0.8),
  ratio('writing.insert', POSTGRAPHILE, 3),
  ratio('writing.insert', HAND_WRITTEN, 0.8),
  ratio('writing.insert', WITHOUT_AUDIT, 0.8),
  ratio('writing.update', POSTGRAPHILE, 3),
  ratio('writing.update', HAND_WRITTEN, 0.8),
  ratio('writing.update', WITHOUT_AUDIT, 0.8),
  ratio('writing.commits', WITHOUT_TRIGGERS, 0.4),
  ratio('changes.mutation', WITHOUT_LOG, 0.9),
  most('starvation.live', 1),
  most('starvation.sandbox', 1),
  most('authorization.sign-in', 1.25),
  most('memory.load', 250),
  most('memory.documents', 64),
  most('startup.existing', 3),
  most('growth.hundredfold', 1.3),
  most('credential.key', 5),
  most('credential.token', 5),
  most('prayer.fill', 2),
  most('live.idle', 5),
  most('live.memory', 30),
  most('live.delay', 500),
  most('live.lists', 1),
  most('soak.errors', 0),
  most('soak.memory', 5),
  most('soak.recovery', 15),
  most('soak.p99', 1.5),
  most('soak.silent', 0),
]

export interface Verdict {
  readonly what: string
  readonly asked: string
  readonly reached: string
  readonly verdict: 'met' | 'missed' | 'not judged'
}

/** False for a small dataset, or too few rounds for a confidence interval. */
export interface Judging {
  readonly isAble: boolean
}

const verdictFor = (isMet: boolean, { isAble }: Judging): Verdict['verdict'] => {
  if (!isAble) return 'not judged'
  return isMet ? 'met' : 'missed'
}

const within = (interval: Interval | undefined): string =>
  interval === undefined ? '' : ` (${interval.low.toFixed(2)}–${interval.high.toFixed(2)})`

/** Figures are the peer's rate over Minaret's; a bar is Minaret's over the peer's. */
const inverse = (interval: Interval | undefined): Interval | undefined =>
  interval === undefined ? undefined : { low: 1 / interval.high, high: 1 / interval.low }

/** Met if the lower end of the confidence interval reaches the bar: luck is not enough. */
const judgeRatio = (bar: RatioBar, { results }: Findings, judging: Judging): Verdict | undefined => {
  const result = results.find(({ name }) => name === bar.scenario)
  const other = result?.figures.find(({ contender }) => contender === bar.over)
  if (result === undefined || other === undefined) return undefined
  const interval = inverse(other.interval)
  return {
    what: `${result.title}, against ${bar.over}`,
    asked: `at least ${bar.least.toFixed(2)} ×`,
    reached: `${(1 / other.ratio).toFixed(2)} ×${within(interval)}`,
    verdict: interval === undefined ? 'not judged' : verdictFor(Number(interval.low.toFixed(4)) >= bar.least, judging),
  }
}

const judgeBound = (bar: BoundBar, { readings }: Findings, judging: Judging): Verdict | undefined => {
  const reading = readings.find(({ name }) => name === bar.reading)
  if (reading === undefined) return undefined
  const { title, unit, value, interval } = reading
  return {
    what: title,
    asked: `at most ${bar.most} ${unit}`,
    reached: `${value.toFixed(2)} ${unit}${within(interval)}`,
    verdict: verdictFor((interval?.high ?? value) <= bar.most, judging),
  }
}

/** A verdict for every bar whose figures were measured. */
export const judge = (findings: Findings, judging: Judging): readonly Verdict[] =>
  bars
    .map(bar => (bar.kind === 'ratio' ? judgeRatio(bar, findings, judging) : judgeBound(bar, findings, judging)))
    .filter(verdict => verdict !== undefined)
