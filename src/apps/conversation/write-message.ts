// A message between the team of an app and its reviewers; the other side is told by mail. Who may write is the database's rule.
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import { withoutUnseen } from '../../base/plain-text.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { explainDatabaseFault, stateRefused } from '../faults.ts'
import { mailOwner } from '../mail-owner.ts'
import { mailReviewers } from './mail-reviewers.ts'
import type { AppMessage, MessageSide } from './messages.ts'

export const LONGEST_MESSAGE = 2000

interface MessageInput {
  readonly appId: string
  readonly actor: Actor & { readonly userId: string }
  readonly body: string
  /** The change request it is about. */
  readonly changeId?: string | undefined
  /** For the link in the mail. */
  readonly baseUrl?: string | undefined
}

const insert = (
  transaction: Queryable,
  { appId, actor, body, changeId }: MessageInput,
  side: MessageSide,
  kind: AppMessage['kind'],
): Promise<number> =>
  transaction.run(sql`
    insert into minaret.app_messages (app_id, change_id, author_id, side, kind, body)
    values (${appId}, ${changeId}, ${actor.userId}, ${side}, ${kind}, ${withoutUnseen(body).trim().slice(0, LONGEST_MESSAGE)})`)

/** From a reviewer to the team. */
export const writeToTeam = (database: Database, input: MessageInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor, body, baseUrl } = input
      await insert(transaction, input, 'reviewer', 'message')
      await recordAudit(transaction, { action: 'app.message_written', actor, appId })
      await mailOwner(transaction, { appId, decision: 'message', words: withoutUnseen(body), baseUrl })
    })
    .catch(explainDatabaseFault)

/** What a reviewer has not seen is not sent back for changes. */
const checkSeen = async (transaction: Queryable, appId: string, revision: number | undefined): Promise<void> => {
  const seen = await transaction.first(sql`
    select from minaret.apps where id = ${appId} and revision = coalesce(${revision}, revision) for update`)
  if (seen === undefined) throw stateRefused('The app was edited meanwhile.')
}

/** The app, or the change, leaves the queue until its team sends it again. */
export const requestChanges = (
  database: Database,
  input: MessageInput & { readonly revision?: number | undefined },
): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor, body, changeId, baseUrl, revision } = input
      await checkSeen(transaction, appId, revision)
      await insert(transaction, input, 'reviewer', 'changes_requested')
      const detail = changeId === undefined ? {} : { change_id: changeId }
      await recordAudit(transaction, { action: 'app.changes_requested', actor, appId, detail })
      await mailOwner(transaction, { appId, decision: 'changesRequested', words: withoutUnseen(body), baseUrl })
    })
    .catch(explainDatabaseFault)

/** From the team to the reviewers. */
export const writeToReviewers = (database: Database, input: MessageInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor, baseUrl } = input
      await insert(transaction, input, 'team', 'message')
      await recordAudit(transaction, { action: 'app.message_written', actor, appId })
      await mailReviewers(transaction, { appId, news: 'answered', baseUrl })
    })
    .catch(explainDatabaseFault)

/** Back to the queue without an edit: the answer is all that was missing. */
export const sendBack = (database: Database, input: MessageInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor, baseUrl } = input
      await insert(transaction, input, 'team', 'sent_again')
      await recordAudit(transaction, { action: 'app.sent_again', actor, appId })
      await mailReviewers(transaction, { appId, news: 'sentAgain', baseUrl })
    })
    .catch(explainDatabaseFault)
