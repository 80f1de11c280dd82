// The parts of the service → what each says about itself now: pools, lanes, answers in memory, queues, subscriptions.
import type { FairTurns } from '../../base/fair-turns.ts'
import type { Database } from '../../db/database.ts'
import type { Answers } from '../../graphql/answers/answers.ts'
import type { KeptResponses } from '../../graphql/answers/kept-responses.ts'
import type { Endpoint } from '../../graphql/entrance/entrance.ts'
import type { Live } from '../../graphql/live/live.ts'
import { counterFamily, type Family, gaugeFamily, type Labels } from '../../metrics/family.ts'
import type { ListenerName } from '../../metrics/watching.ts'

const gauge = (name: string, help: string, labels: Labels, value: number): Family =>
  gaugeFamily({ name, help }, [{ labels, value }])

const counter = (name: string, help: string, labels: Labels, value: number): Family =>
  counterFamily({ name, help }, [{ labels, value }])

export const poolFamilies = (pool: string, database: Database): Family[] => {
  const figures = database.pool?.()
  if (figures === undefined) return []
  const labels = { pool }
  return [
    gauge('minaret_pool_connections', 'Open database connections.', labels, figures.connections),
    gauge('minaret_pool_connections_idle', 'Database connections that nobody uses.', labels, figures.idle),
    gauge('minaret_pool_connections_max', 'The most connections that the pool opens.', labels, figures.most),
    gauge('minaret_pool_waiting', 'Statements that wait for a connection.', labels, figures.waiting),
  ]
}

const writerFamilies = (
  labels: Labels,
  { busy, waiting, most }: ReturnType<Endpoint['engine']['writer']['figures']>,
) => [
  gauge('minaret_writers_busy', 'Connections on which a mutation runs.', labels, busy),
  gauge('minaret_writers_max', 'The most connections for mutations.', labels, most),
  gauge('minaret_writers_waiting', 'Mutations that wait for a connection.', labels, waiting),
]

const answerFamilies = (labels: Labels, answers: Answers): Family[] => {
  const { hits, changed, misses, kept, answers: entries, bytes, maxBytes } = answers.figures()
  const lookups = { hit: hits, changed, miss: misses }
  return [
    counterFamily(
      { name: 'minaret_answers_lookups_total', help: 'Requests looked up among the answers in memory, by outcome.' },
      Object.entries(lookups).map(([outcome, value]) => ({ labels: { ...labels, outcome }, value })),
    ),
    counter('minaret_answers_kept_total', 'Answers that were stored in memory.', labels, kept),
    gauge('minaret_answers_entries', 'Answers in memory.', labels, entries),
    gauge('minaret_answers_bytes', 'Memory used by answers.', labels, bytes),
    gauge('minaret_answers_max_bytes', 'Memory that answers may use.', labels, maxBytes),
  ]
}

export const pageFamilies = ({ figures }: Pick<KeptResponses, 'figures'>): Family[] => {
  const { hits, changed, misses, kept, entries, bytes, maxBytes } = figures()
  return [
    counterFamily(
      { name: 'minaret_pages_lookups_total', help: 'Pages and calendars looked up in memory, by outcome.' },
      Object.entries({ hit: hits, changed, miss: misses }).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    counter('minaret_pages_kept_total', 'Pages and calendars that were stored in memory.', {}, kept),
    gauge('minaret_pages_entries', 'Pages and calendars in memory.', {}, entries),
    gauge('minaret_pages_bytes', 'Memory used by pages and calendars.', {}, bytes),
    gauge('minaret_pages_max_bytes', 'Memory that pages and calendars may use.', {}, maxBytes),
  ]
}

export const turnFamilies = (endpoint: string, turns: FairTurns): Family[] => {
  const { running, waiting } = turns.figures()
  return [
    gauge('minaret_requests_in_progress', 'Requests in progress.', { endpoint }, running),
    gauge('minaret_requests_waiting', 'Requests that wait for their turn.', { endpoint }, waiting),
  ]
}

const liveFamilies = (labels: Labels, { counts: { open, cohorts, reads } }: Live): Family[] => [
  gauge('minaret_subscriptions_open', 'Open subscriptions.', labels, open),
  gauge('minaret_subscription_cohorts', 'Groups of subscriptions that are read together.', labels, cohorts),
  counter('minaret_subscription_reads_total', 'Statements run for subscriptions.', labels, reads),
]

/** Of one GraphQL endpoint. */
export const endpointFamilies = (
  name: ListenerName,
  { engine, keeping: { answers }, admission: { turns } }: Endpoint,
  live: Live,
): Family[] => {
  const labels = { endpoint: name }
  return [
    ...engine.reader.families(labels),
    counter('minaret_change_checks_total', 'Checks of the change log.', labels, engine.reader.checks),
    ...writerFamilies(labels, engine.writer.figures()),
    ...(answers === undefined ? [] : answerFamilies(labels, answers)),
    ...turnFamilies(name, turns),
    ...liveFamilies(labels, live),
  ]
}

export const connectionFamilies = (size: number): Family[] => [
  gauge('minaret_live_connections_open', 'Open streams of events and WebSockets.', {}, size),
]
