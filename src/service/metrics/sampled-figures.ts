// What only the database knows → figures of the last look. A scrape never waits for one: it shows what is known, and starts the next.
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { type Family, gaugeFamily } from '../../metrics/family.ts'

interface Sampled {
  readonly mails: number
  readonly oldest_mail: number
  readonly undeliverable: number
  readonly migrations: number
  readonly webhooks: number
}

/** Scrapes more frequent than this share a look. */
const EVERY_MS = 5000

/** More than this is a backlog, however long. */
const MOST_COUNTED = 10_000

const look = (database: Database): Promise<Sampled | undefined> =>
  database.first<Sampled>(sql`
    select count(*) filter (where next_attempt_at < 'infinity')::int as mails,
      coalesce(extract(epoch from now() - min(created_at)
        filter (where next_attempt_at < 'infinity' and not put_off)), 0)::float8 as oldest_mail,
      count(*) filter (where next_attempt_at = 'infinity')::int as undeliverable,
      ((select count(*) from minaret.migrations_identity) + (select count(*) from minaret.migrations_public)
        + (select count(*) from minaret.migrations_sandbox))::int as migrations,
      (select count(*) from (select from minaret.webhook_deliveries where state = 'waiting' limit ${MOST_COUNTED}) w)::int
        as webhooks
    from minaret.outbox where sent_at is null`)

/** Processes see the same rows: the largest value is shown. */
const shared = (name: string, help: string, value: number): Family =>
  gaugeFamily({ name, help, aggregator: 'max' }, [{ labels: {}, value }])

const shown = ({ mails, oldest_mail, undeliverable, migrations, webhooks }: Sampled): Family[] => [
  shared('minaret_mail_waiting', 'Mails that are yet to be sent.', mails),
  shared(
    'minaret_mail_oldest_seconds',
    'How long the oldest of these has been waiting, but for those that the mail server puts off for their recipient.',
    oldest_mail,
  ),
  shared(
    'minaret_mail_undeliverable',
    'Mails that were refused for good, or given up after too many attempts.',
    undeliverable,
  ),
  shared('minaret_webhooks_waiting', `Webhooks that are yet to be delivered, counted up to ${MOST_COUNTED}.`, webhooks),
  shared('minaret_migrations_applied', 'Migrations that the database has had.', migrations),
]

export const createSampledFigures = (database: Database): (() => Family[]) => {
  let known: Sampled | undefined
  let reached = 1
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const lookAgain = async (): Promise<void> => {
    try {
      known = await look(database)
      reached = 1
    } catch {
      reached = 0
    } finally {
      looking = undefined
    }
  }

  const refresh = (): void => {
    if (looking !== undefined || performance.now() - lookedAt < EVERY_MS) return
    lookedAt = performance.now()
    looking = lookAgain()
  }

  refresh()
  return () => {
    refresh()
    const up = { name: 'minaret_database_up', help: 'Whether the database answered the last look.' } as const
    return [
      gaugeFamily({ ...up, aggregator: 'min' }, [{ labels: {}, value: reached }]),
      ...(known === undefined ? [] : shown(known)),
    ]
  }
}
