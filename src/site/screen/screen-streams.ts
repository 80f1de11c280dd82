// A paired screen → a stream of server-sent events: `change` when it should ask for its state again, `ended` when it was disconnected.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScreenToken } from '../../access/screen-tokens.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import { limitOpen } from '../../graphql/live/limit-open.ts'
import { eventOf, openEventStream } from '../../http/live/event-stream.ts'
import type { OpenConnections } from '../../http/live/open-connections.ts'
import { noteContacts } from '../../screens/note-contact.ts'
import type { OpenScreen, ScreenChanges } from '../../screens/screen-changes.ts'

export interface ScreenStreamsInput {
  readonly database: Database
  readonly changes: ScreenChanges
  readonly connections: OpenConnections
  readonly clock: Clock
  readonly deadlineMs: number
}

interface ScreenVisit extends ScreenToken {
  readonly masjidId: string
  /** Rejects if the token was revoked meanwhile. */
  confirm(): Promise<unknown>
}

export interface ScreenStreams {
  open(visit: ScreenVisit, request: FastifyRequest, reply: FastifyReply): Promise<void>
  close(): void
}

/** A few tabs, and connections that we do not know to be lost. */
const MOST_STREAMS = 5
const NOTE_EVERY_MS = 60_000

const frameOf = (name: 'change' | 'ended', withinMs = 0): string => eventOf(name, JSON.stringify({ within: withinMs }))

export const createScreenStreams = (input: ScreenStreamsInput): ScreenStreams => {
  const { database, changes, connections, clock, deadlineMs } = input
  const limit = limitOpen(MOST_STREAMS, most => `${most} streams of this screen are open, which is the maximum.`)

  // A screen that only listens is in contact too.
  const noting = setInterval(() => {
    const grants = new Set([...changes.all()].map(({ grantId }) => grantId))
    if (grants.size > 0) noteContacts(database, [...grants]).catch(() => undefined)
  }, NOTE_EVERY_MS).unref()

  const stream = ({ expiresAt }: ScreenVisit, { id }: FastifyRequest, reply: FastifyReply, leave: () => void) => {
    reply.hijack()
    const opened = openEventStream(reply.raw, {
      connections,
      requestId: id,
      onDrain: () => undefined,
      onClose: () => {
        clearTimeout(expiry)
        leave()
      },
    })
    // The screen opens another one, with a new token.
    const expiry = setTimeout(opened.end, Math.max(0, expiresAt * 1000 - clock.now().getTime())).unref()
    return opened
  }

  const open = async (visit: ScreenVisit, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    let opened: ReturnType<typeof stream> | undefined
    const followed: OpenScreen = {
      tokenId: visit.tokenId,
      grantId: visit.grantId,
      masjidId: visit.masjidId,
      onChange: withinMs => opened?.write(frameOf('change', withinMs)),
      onEnd: () => {
        opened?.write(frameOf('ended'))
        opened?.end()
      },
    }
    const leave = await withinDeadline(deadlineMs, changes.follow(followed))
    await visit.confirm().catch(error => {
      leave()
      throw error
    })
    if (reply.raw.destroyed || reply.sent) return leave()
    opened = stream(visit, request, reply, leave)
    // What changed before the stream was open.
    opened.write(frameOf('change'))
  }

  return {
    open: async (visit, request, reply) => {
      if (reply.raw.destroyed) return
      limit.take(visit.grantId)
      reply.raw.once('close', () => limit.release(visit.grantId))
      await open(visit, request, reply)
    },
    close: () => clearInterval(noting),
  }
}
