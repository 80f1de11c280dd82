// The job that sends the outbox through a mail server, triggered by new mail and by a timer.

import type { Logger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { drainQueue } from '../db/drain-queue.ts'
import type { Listener } from '../db/listener.ts'
import type { Counter } from '../metrics/counter.ts'
import type { WatchJob } from '../metrics/job-book.ts'
import { claimMail, markFailed, markSent, type OutboxMail } from './outbox.ts'
import { failureOf } from './refused-mail.ts'

export interface DeliveryInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly smtpUrl: string
  readonly from: string
  readonly watch?: WatchJob | undefined
  /** By outcome. */
  readonly counter?: Counter | undefined
}

export interface Delivery {
  /** Finishes the mail in progress. */
  close(): Promise<void>
}

/** As they are counted. */
const outcomes = { relay: 'failed', 'put-off': 'put_off', final: 'refused' } as const

const BATCH = 10
const LOOK_EVERY_MS = 15_000

export const startDelivery = async (input: DeliveryInput): Promise<Delivery> => {
  const { database, listener, log, smtpUrl, from, watch, counter } = input
  // Loaded here, since most development installations send no mail.
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport(smtpUrl, { from })

  const send = async (mail: OutboxMail): Promise<void> => {
    try {
      await transport.sendMail({ to: mail.to, subject: mail.subject, text: mail.text })
      counter?.add('sent')
      await markSent(database, mail.id)
    } catch (error) {
      const failure = failureOf(error)
      counter?.add(outcomes[failure])
      log.warn({ err: error, mail: mail.id, attempts: mail.attempts, failure }, 'mail could not be sent')
      await markFailed(database, mail, { failure, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  const sendBatch = async (): Promise<boolean> => {
    const mails = await claimMail(database, BATCH)
    for (const mail of mails) await send(mail)
    return mails.length === BATCH
  }
  const drain = await drainQueue({
    listener,
    log,
    channel: 'minaret_outbox',
    pollMs: LOOK_EVERY_MS,
    runBatch: sendBatch,
    failure: 'the outbox could not be read',
    watch,
  })
  return {
    close: async () => {
      await drain.close()
      transport.close()
    },
  }
}
