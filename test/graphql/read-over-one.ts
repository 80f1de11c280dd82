// An engine whose statements all go over one connection of its role, so that what PostgreSQL keeps of them there can be asked.
import { createLogger } from '../../src/base/log.ts'
import { createReaderConnection } from '../../src/db/reader-connection.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { ownStatement, type TextStatement } from '../../src/db/text-channel.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import type { TestEngine } from './use-engine.ts'

interface KeptPlans {
  readonly name: string
  readonly generic: number
  readonly custom: number
}

export interface OneConnection {
  readonly engine: TestEngine['engine']
  /** The names of the statements that were sent, in order. */
  readonly sent: string[]
  /** The same, whole. */
  readonly statements: TextStatement[]
  /** How many pages of the database PostgreSQL looks at to plan a statement: what it knows already, it does not look up. */
  lookedUpFor(statement: TextStatement): Promise<number>
  /** What is prepared on the connection, and how often each was run by which kind of plan. */
  kept(): Promise<readonly KeptPlans[]>
  close(): Promise<void>
}

const PLANS = ownStatement(
  'kept_plans',
  `select coalesce(json_agg(json_build_object('name', name, 'generic', generic_plans, 'custom', custom_plans)), '[]')::text
   from pg_prepared_statements`,
)

const LIMIT_MS = 20_000

export const readOverOne = async ({ engine, database }: TestEngine, rehearsal?: string): Promise<OneConnection> => {
  const { promise: opened, resolve: onReady } = Promise.withResolvers<void>()
  const connection = createReaderConnection({
    connection: await readerConnection(database.connection, 'minaret_reader', TEST_SECRET),
    log: createLogger('silent'),
    statementTimeoutMs: LIMIT_MS,
    lockTimeoutMs: LIMIT_MS,
    rehearsal,
    onReady,
  })
  await opened
  const sent: string[] = []
  const statements: TextStatement[] = []
  const send = (statement: TextStatement): Promise<string> =>
    new Promise((resolve, reject) =>
      connection.send(statement, (error, text) => (error === undefined ? resolve(text) : reject(error))),
    )
  const read = (statement: TextStatement): Promise<string> => {
    sent.push(statement.name)
    statements.push(statement)
    return send(statement)
  }
  return {
    engine: { ...engine, reader: { ...engine.reader, read } },
    sent,
    statements,
    lookedUpFor: async statement => {
      const explained = await send({
        ...statement,
        text: `explain (buffers, costs off, format json) ${statement.text}`,
        name: `explain ${statement.name}`,
        prepare: false,
      })
      const [{ Planning: planning }] = JSON.parse(explained)
      return planning['Shared Hit Blocks'] + planning['Shared Read Blocks']
    },
    kept: async () => JSON.parse(await send(PLANS)),
    close: () => connection.close(),
  }
}
