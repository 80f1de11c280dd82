// Rows of minaret.webhook_deliveries → what is to be sent, and how sending it went.
import { type Sql, sql } from '../db/sql.ts'

export const deliveryStates = ['waiting', 'delivered', 'dead', 'withheld'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** What the change log says. */
export type ChangeKind = 'insert' | 'update' | 'delete' | 'truncate' | 'bulk'

export interface Delivery {
  readonly id: string
  /** `gap`: something that follows the position, at that masjid or anywhere, is not sent. `test`: sent by the owner's press of a button.
   *  `person`: an account was erased; `key` has its subject. */
  readonly kind: 'change' | 'gap' | 'test' | 'person'
  /** As the change log names it. */
  readonly tableName: string | null
  readonly change: ChangeKind | null
  readonly masjidId: string | null
  /** Columns of the database; null for many rows. */
  readonly key: Readonly<Record<string, unknown>> | null
  /** A cursor of the change log: just after the change. */
  readonly position: string | null
  readonly happenedAt: Date
  readonly attempts: number
}

/** For a statement that has the table as `d`. */
export const deliveryColumns: Sql = sql`
  d.id, d.kind, d.table_name as "tableName", d.change, d.masjid_id as "masjidId", d.key, d.position,
  d.happened_at as "happenedAt", d.attempts`

/** What is set in the row of one that is to be sent again. */
export const sentAgain: Sql = sql`
  state = 'waiting', attempts = 0, first_attempt_at = null, ended_at = null, next_attempt_at = now()`

/** The same in every attempt, so that receivers can tell what they have seen. */
export const messageId = ({ id }: Pick<Delivery, 'id'>): string => `msg_${id.replaceAll('-', '')}`
