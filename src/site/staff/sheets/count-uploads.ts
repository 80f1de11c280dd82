// Uploads under way, counted by person: each holds a file in memory until its end.
import type { FastifyReply } from 'fastify'
import { Fault } from '../../../base/fault.ts'

const MOST_AT_ONCE = 2

const tooMany = (): Fault =>
  new Fault({
    code: 'too_many_requests',
    status: 429,
    message: `Wait until one of your ${MOST_AT_ONCE} other uploads has ended.`,
    headers: { 'retry-after': '5' },
  })

/** @throws {Fault} `too_many_requests` */
export type CountUpload = (userId: string, reply: FastifyReply) => void

export const createUploadCounter = (): CountUpload => {
  const underWay = new Map<string, number>()
  const add = (userId: string, change: number): void => {
    const count = (underWay.get(userId) ?? 0) + change
    if (count === 0) underWay.delete(userId)
    else underWay.set(userId, count)
  }
  return (userId, reply) => {
    if ((underWay.get(userId) ?? 0) >= MOST_AT_ONCE) throw tooMany()
    add(userId, 1)
    // Answered, or broken off.
    reply.raw.once('close', () => add(userId, -1))
  }
}
