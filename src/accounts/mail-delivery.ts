// The job that sends the outbox through a mail server, triggered by new mail and by a timer.
import { createTransport } from 'nodemailer'
import type { Logger } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { claimMail, markFailed, markSent, type OutboxMail } from './outbox.ts'

export interface DeliveryInput {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly smtpUrl: string
  readonly from: string
}

export interface Delivery {
  /** Finishes the mail in progress. */
  close(): Promise<void>
}

const BATCH = 10
const LOOK_EVERY_MS = 15_000

export const startDelivery = async (input: DeliveryInput): Promise<Delivery> => {
  const { database, listener, log, smtpUrl, from } = input
  const transport = createTransport(smtpUrl, { from })
  let working: Promise<void> = Promise.resolve()
  let closed = false

  const send = async (mail: OutboxMail): Promise<void> => {
    try {
      await transport.sendMail({ to: mail.to, subject: mail.subject, text: mail.text })
      await markSent(database, mail.id)
    } catch (error) {
      log.warn({ err: error, mail: mail.id, attempts: mail.attempts }, 'mail could not be sent')
      await markFailed(database, mail, error instanceof Error ? error.message : String(error))
    }
  }
  const drain = async (): Promise<void> => {
    while (!closed) {
      const mails = await claimMail(database, BATCH)
      for (const mail of mails) await send(mail)
      if (mails.length < BATCH) return
    }
  }
  const wake = (): void => {
    if (closed) return
    working = working.then(drain).catch(error => log.warn({ err: error }, 'the outbox could not be read'))
  }
  await listener.on('minaret_outbox', wake)
  listener.onReconnected(wake)
  const timer = setInterval(wake, LOOK_EVERY_MS)
  timer.unref()
  wake()
  return {
    close: async () => {
      closed = true
      clearInterval(timer)
      await working
      transport.close()
    },
  }
}
