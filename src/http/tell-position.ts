// Adds where it is in the write-ahead log to every response to a change outside GraphQL, which does that itself: a
// client that sends it back reads what the change led to, whichever replica answers.
import type { FastifyInstance } from 'fastify'
import { withinDeadline } from '../db/within-deadline.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { positionAfter } from '../graphql/entrance/position-after.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** The change is done; its response does not wait longer for the header. */
const PATIENCE_MS = 500

export type TellPosition = () => Promise<Readonly<Record<string, string>> | undefined>

/** Asked for after a change. */
export const positionTeller =
  (engine: Pick<Engine, 'reader'>): TellPosition =>
  () =>
    withinDeadline(PATIENCE_MS, positionAfter(engine)).catch(() => undefined)

/** For all routes that are added to the scope afterwards. */
export const tellPosition = (scope: FastifyInstance, tell: TellPosition): void => {
  scope.addHook('onSend', async (request, reply) => {
    if (READING.has(request.method) || reply.statusCode >= 400) return
    const position = await tell()
    if (position !== undefined) reply.headers(position)
  })
}
