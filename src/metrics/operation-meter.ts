// GraphQL operations → counts and time by root field, and histograms by kind and by where the answer came from.
import { createCounter } from './counter.ts'
import { counterFamily, type Family, histogramFamily, type Labels, overflow } from './family.ts'
import { createHistogram } from './histogram.ts'

/** What was asked for. Its names are those of the schema: a document with any other is refused before. */
export interface OperationFields {
  readonly kind: 'query' | 'mutation' | 'subscription'
  readonly names: readonly string[]
}

export interface OperationMeter {
  answered(fields: OperationFields, source: 'memory' | 'database', ms: number): void
  /** `code` is of the catalogue of errors. */
  failed(code: string): void
  families(): Family[]
}

interface FieldTally {
  readonly labels: Labels
  answered: number
  ms: number
}

const MOST_FIELDS = 500
const sources = ['memory', 'database'] as const
const DURATION = 'minaret_graphql_operation_duration_seconds'

export const createOperationMeter = (endpoint: 'main' | 'sandbox'): OperationMeter => {
  const tallies = new Map<string, FieldTally>()
  const rest: FieldTally = { labels: { ...overflow, endpoint }, answered: 0, ms: 0 }
  /** Operations are cached by those who plan them: the names are looked up once for each. */
  const known = new WeakMap<OperationFields, readonly FieldTally[]>()
  const errors = createCounter({
    name: 'minaret_graphql_errors_total',
    help: 'GraphQL operations that ended with an error, by its code.',
    labels: ['endpoint', 'code'],
  })
  const series = (['query', 'mutation', 'subscription'] as const).flatMap(kind =>
    sources.map(source => ({ kind, source, histogram: createHistogram() })),
  )
  const histogramOf = (kind: OperationFields['kind'], source: 'memory' | 'database') =>
    series.find(one => one.kind === kind && one.source === source)?.histogram

  const open = (kind: string, name: string): FieldTally => {
    const key = `${kind} ${name}`
    const found = tallies.get(key)
    if (found !== undefined) return found
    if (tallies.size >= MOST_FIELDS) return rest
    const tally = { labels: { endpoint, kind, field: name }, answered: 0, ms: 0 }
    tallies.set(key, tally)
    return tally
  }

  const talliesOf = (fields: OperationFields): readonly FieldTally[] => {
    const found = known.get(fields)
    if (found !== undefined) return found
    const opened = fields.names.map(name => open(fields.kind, name))
    known.set(fields, opened)
    return opened
  }

  const all = (): FieldTally[] => [...tallies.values(), ...(rest.answered > 0 ? [rest] : [])]

  return {
    answered: (fields, source, ms) => {
      for (const tally of talliesOf(fields)) {
        tally.answered += 1
        tally.ms += ms
      }
      histogramOf(fields.kind, source)?.observe(ms / 1000)
    },
    failed: code => errors.add(endpoint, code),
    families: () => [
      counterFamily(
        { name: 'minaret_graphql_fields_total', help: 'Root fields of answered GraphQL operations.' },
        all().map(({ labels, answered }) => ({ labels, value: answered })),
      ),
      counterFamily(
        { name: 'minaret_graphql_fields_seconds_total', help: 'Time of the operations that asked for a root field.' },
        all().map(({ labels, ms }) => ({ labels, value: ms / 1000 })),
      ),
      histogramFamily(
        { name: DURATION, help: 'Duration of answered GraphQL operations.' },
        series.flatMap(({ kind, source, histogram }) => histogram.samples(DURATION, { endpoint, kind, source })),
      ),
      errors.family(),
    ],
  }
}
