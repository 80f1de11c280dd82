import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimMail, enqueueMail } from '../../src/accounts/outbox.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'

/** Generous, because the machine may be busy. */
const PATIENCE_MS = 30_000

interface Row {
  readonly sent: boolean
  readonly attempts: number
  readonly text: string
  readonly last_error: string | null
  readonly wait: number
}

const rowTo = async (database: Database, recipient: string): Promise<Row> => {
  const row = await database.first<Row>(sql`
    select sent_at is not null as sent, attempts, text, last_error,
      extract(epoch from next_attempt_at - now())::int as wait
    from minaret.outbox where recipient = ${recipient}`)
  assert.ok(row)
  return row
}

const mail = (to: string) => ({ to, subject: 'A subject', text: 'Open https://id.example.org/secret-link' })

test('mail is sent by SMTP, and its text, which has a secret link, is then deleted', async () => {
  const server = await startMailServer()
  const minaret = await startTestMinaret({ SMTP_URL: server.url, MAIL_FROM: 'Minaret <id@example.org>' })
  try {
    const { database } = minaret.service
    await enqueueMail(database, mail('amina@example.org'))
    await within(PATIENCE_MS, 'the mail is sent', async () => (await rowTo(database, 'amina@example.org')).sent)
    assert.equal(server.received.length, 1)
    const [message = ''] = server.received
    assert.match(message, /^From: Minaret <id@example\.org>$/m)
    assert.match(message, /^To: amina@example\.org$/m)
    assert.match(message, /secret-link/)
    assert.equal((await rowTo(database, 'amina@example.org')).text, '')
  } finally {
    await minaret.stop()
    await server.close()
  }
})

test('nothing is lost while the mail server is down: mail is retried with growing pauses', async () => {
  const away = await startMailServer()
  await away.close()
  const minaret = await startTestMinaret({ SMTP_URL: away.url })
  try {
    const { database } = minaret.service
    await enqueueMail(database, mail('bilal@example.org'))
    await within(
      PATIENCE_MS,
      'delivery was attempted',
      async () => (await rowTo(database, 'bilal@example.org')).last_error !== null,
    )
    const first = await rowTo(database, 'bilal@example.org')
    assert.deepEqual([first.sent, first.attempts], [false, 1])
    assert.ok(first.wait > 30 && first.wait <= 60, `${first.wait} s`)

    const back = await startMailServer(Number(new URL(away.url).port))
    try {
      await database.run(sql`update minaret.outbox set next_attempt_at = now()`)
      await database.run(sql`select pg_notify('minaret_outbox', '')`)
      await within(PATIENCE_MS, 'it is sent', async () => (await rowTo(database, 'bilal@example.org')).sent)
      assert.equal(back.received.length, 1)
    } finally {
      await back.close()
    }
  } finally {
    await minaret.stop()
  }
})

const minaret = useMinaret()

test('two processes never send the same mail', async () => {
  const { database } = minaret().service
  for (let count = 0; count < 20; count++) await enqueueMail(database, mail(`person-${count}@example.org`))
  const claims = await Promise.all(Array.from({ length: 10 }, () => claimMail(database, 5)))
  const ids = claims.flat().map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(ids.length, 20)
})

test('without a mail server, mail stays in the outbox', async () => {
  const { database } = minaret().service
  await enqueueMail(database, mail('kept@example.org'))
  const { sent, attempts } = await rowTo(database, 'kept@example.org')
  assert.deepEqual([sent, attempts], [false, 0])
})
