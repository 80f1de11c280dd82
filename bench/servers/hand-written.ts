// What a careful developer would write by hand for one question: a Fastify route, a `pg` pool, the statement Minaret compiles.
// It checks no credential and no limits: the least work possible with the usual tools.
import Fastify from 'fastify'
import pg from 'pg'
import { peerSettings, serveAsPeer } from './peer-program.ts'

export interface HandWrittenRoute {
  readonly path: string
  readonly statement: string
  /** Variable names in the order of the statement's parameters. */
  readonly parameters: readonly string[]
  /** Sent before the statement in its transaction, if row-level security needs it. */
  readonly settings: Readonly<Record<string, string>> | undefined
}

export interface HandWrittenSettings {
  readonly connection: pg.PoolConfig
  readonly poolSize: number
  readonly routes: readonly HandWrittenRoute[]
}

interface Body {
  readonly variables: Readonly<Record<string, unknown>>
}

const { connection, poolSize, routes } = peerSettings<HandWrittenSettings>()
const pool = new pg.Pool({ ...connection, max: poolSize })
const server = Fastify()

type Runner = Pick<pg.Pool, 'query'>

const answer = async (runner: Runner, route: HandWrittenRoute, { variables }: Body): Promise<string> => {
  const values = route.parameters.map(name => variables[name])
  const { rows } = await runner.query({ name: route.path, text: route.statement, values, rowMode: 'array' })
  return `{"data":${rows[0]?.[0]}}`
}

const answerUnderPolicies = async (route: HandWrittenRoute, body: Body): Promise<string> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const entries = Object.entries(route.settings ?? {})
    const calls = entries.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`)
    await client.query({ name: 'settings', text: `select ${calls.join(', ')}`, values: entries.flat() })
    const text = await answer(client, route, body)
    await client.query('commit')
    return text
  } finally {
    client.release()
  }
}

for (const route of routes)
  server.post<{ Body: Body }>(route.path, async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    return route.settings === undefined ? answer(pool, route, request.body) : answerUnderPolicies(route, request.body)
  })

await server.ready()
serveAsPeer(server.server)
