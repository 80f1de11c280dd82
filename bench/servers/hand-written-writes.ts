// What a careful developer would write by hand for one change: a Fastify route, a `pg` pool, and one transaction that sets who
// writes, writes the row, and reads it back. It checks no credential and no limits.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { peerSettings, serveAsPeer } from './peer-program.ts'

export interface WriteRoute {
  readonly path: string
  /** Returns the id of the written row. */
  readonly write: string
  /** Variable names in the order of its parameters. */
  readonly parameters: readonly string[]
  /** Reads the written row by its id, as JSON. */
  readonly read: string
  /** The name of the response's field. */
  readonly field: string
}

export interface HandWrittenWrites {
  readonly connection: pg.PoolConfig
  readonly poolSize: number
  readonly settings: Readonly<Record<string, string>>
  readonly routes: readonly WriteRoute[]
}

interface Body {
  readonly variables: Readonly<Record<string, unknown>>
}

const { connection, poolSize, settings, routes } = peerSettings<HandWrittenWrites>()
const pool = new pg.Pool({ ...connection, max: poolSize })
const server = Fastify()

const names = [...Object.keys(settings), 'minaret.request_id']
const setAll = `select ${names.map((name, index) => `set_config('${name}', $${index + 1}, true)`).join(', ')}`

const write = async ({ path, write, parameters, read, field }: WriteRoute, { variables }: Body): Promise<string> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ name: 'settings', text: setAll, values: [...Object.values(settings), randomUUID()] })
    const values = parameters.map(name => variables[name])
    const written = await client.query({ name: `${path} write`, text: write, values })
    const { rows } = await client.query({ name: `${path} read`, text: read, values: [written.rows[0]?.id] })
    await client.query('commit')
    return `{"data":{"${field}":${JSON.stringify(rows[0]?.row)}}}`
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

for (const route of routes)
  server.post<{ Body: Body }>(route.path, async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    return write(route, request.body)
  })

await server.ready()
serveAsPeer(server.server)
