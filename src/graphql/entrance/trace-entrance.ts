// An entrance → the same, with a trace of each request: its operations, and how long their statements waited and ran.
import type { TracedStep, Tracer } from '../../tracing/tracer.ts'
import type { TimedStatement } from '../timed-statement.ts'
import type { NotedOperation, RequestNotes } from './request-notes.ts'
import type { Entrance, IncomingRequest } from './transport.ts'

const noSteps: readonly TracedStep[] = []

const statementStep = ({ cached, submittedAt, endedAt, ranMs }: TimedStatement): TracedStep => {
  const ranSince = Math.max(submittedAt, endedAt - ranMs)
  const part = (name: string, from: number, to: number): TracedStep => ({
    name,
    startedAt: from,
    endedAt: to,
    attributes: {},
    steps: noSteps,
  })
  return {
    name: 'statement',
    startedAt: submittedAt,
    endedAt,
    attributes: {
      'db.system.name': 'postgresql',
      'minaret.statement': cached.statement.name,
      'minaret.cost': cached.plan.cost,
    },
    steps: [part('wait', submittedAt, ranSince), part('run', ranSince, endedAt)],
  }
}

const operationStep = (
  { fields, source }: NotedOperation,
  { startedAt, endedAt }: Pick<TracedStep, 'startedAt' | 'endedAt'>,
  statements: readonly TimedStatement[],
): TracedStep => ({
  name: fields === undefined ? 'graphql' : `graphql ${fields.kind}`,
  startedAt,
  endedAt,
  attributes: {
    'minaret.source': source,
    ...(fields === undefined ? {} : { 'graphql.operation.type': fields.kind, 'minaret.fields': fields.names }),
  },
  steps: statements.filter(({ cached }) => cached.counted === fields).map(statementStep),
})

const RELAY = '/v1/relay'

const routeOf = ({ url }: IncomingRequest): string => (url.startsWith(RELAY) ? RELAY : '/v1/graphql')

export const traceEntrance =
  (entrance: Entrance, tracer: Tracer): Entrance =>
  async request => {
    const startedAt = performance.now()
    const notes: RequestNotes = { operations: [], statements: [] }
    const response = await entrance({ ...request, notes })
    const times = { startedAt, endedAt: performance.now() }
    const { traceparent } = request.headers
    tracer.request({
      ...times,
      method: request.method,
      route: routeOf(request),
      status: response.status,
      requestId: request.id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      steps: notes.operations.map(operation => operationStep(operation, times, notes.statements)),
    })
    return response
  }
