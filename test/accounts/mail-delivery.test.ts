import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimMail, enqueueMail } from '../../src/accounts/outbox.ts'
import { failureOf } from '../../src/accounts/refused-mail.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { createSampledFigures } from '../../src/service/metrics/sampled-figures.ts'
import { makeUser, PASSWORD } from '../support/apps.ts'
import { setUpAuthenticator } from '../support/authenticator.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'

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

test('what the server refuses for good is given up at once, is no sign of trouble, and can be sent again by an administrator', async () => {
  let takes = false
  const server = await startMailServer(0, line => {
    if (takes) return undefined
    if (/^rcpt to:<refused@/i.test(line)) return '550 no such mailbox'
    return /^rcpt to:<later@/i.test(line) ? '450 greylisted' : undefined
  })
  const minaret = await startTestMinaret({ SMTP_URL: server.url })
  try {
    const { database } = minaret.service
    for (const name of ['refused', 'later', 'amina']) await enqueueMail(database, mail(`${name}@example.org`))
    await within(PATIENCE_MS, 'each was tried', async () => (await rowTo(database, 'amina@example.org')).sent)
    await within(
      PATIENCE_MS,
      'it was put off',
      async () => (await rowTo(database, 'later@example.org')).last_error !== null,
    )
    const states = await database.query(sql`
      select recipient, attempts, next_attempt_at = 'infinity' as given_up, put_off from minaret.outbox
      where recipient in ('refused@example.org', 'later@example.org') order by recipient`)
    assert.deepEqual(states, [
      { recipient: 'later@example.org', attempts: 1, given_up: false, put_off: true },
      { recipient: 'refused@example.org', attempts: 1, given_up: true, put_off: false },
    ])
    await database.run(sql`update minaret.outbox set created_at = now() - interval '2 hours' where sent_at is null`)
    const figures = createSampledFigures(database)
    const figureOf = (name: string) => figures().find(family => family.name === name)?.values[0]?.value
    await within(PATIENCE_MS, 'the figures are known', () => figureOf('minaret_mail_undeliverable') === 1)
    assert.deepEqual([figureOf('minaret_mail_waiting'), figureOf('minaret_mail_oldest_seconds')], [1, 0])

    const admin = await makeUser(database, { isAdmin: true })
    const person = createPerson(minaret.baseUrl)
    await person.signIn(admin.email, PASSWORD)
    await setUpAuthenticator(person)
    const { text } = await person.get('/admin/mail')
    assert.match(text, /refused@example\.org[\s\S]*550 no such mailbox/)
    assert.doesNotMatch(text, /later@example\.org|secret-link/)
    takes = true
    const { location } = await person.submit('/admin/mail', '/admin/mail/send-again', {})
    assert.equal(location, '/admin/mail?said=done')
    await within(PATIENCE_MS, 'it is sent', async () => (await rowTo(database, 'refused@example.org')).sent)
    assert.match((await person.get('/admin/mail')).text, /No mail was given up/)
  } finally {
    await minaret.stop()
    await server.close()
  }
})

test('a relay that refuses to be used keeps every mail waiting: that is about no mail in particular', () => {
  const failures = [
    [{ responseCode: 550, command: 'RCPT TO' }, 'final'],
    [{ responseCode: 554, command: 'DATA' }, 'final'],
    [{ responseCode: 451, command: 'RCPT TO' }, 'put-off'],
    [{ responseCode: 535, command: 'AUTH PLAIN' }, 'relay'],
    [{ responseCode: 550, command: 'MAIL FROM' }, 'relay'],
    [{ code: 'ECONNREFUSED', command: 'CONN' }, 'relay'],
    [new Error('socket hang up'), 'relay'],
  ] as const
  for (const [error, expected] of failures) assert.equal(failureOf(error), expected, JSON.stringify(error))
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
