// An event in a person's account → an entry of the audit log; no actor means that nobody was signed in.

import type { Queryable } from '../db/database.ts'
import { recordAudit } from './record-audit.ts'

export interface AccountEvent {
  readonly action: string
  readonly actorId?: string
  /** The person concerned; undefined if the address has no account. */
  readonly userId: string | undefined
  readonly appId?: string
  readonly address: string | undefined
}

export const recordAccountEvent = (database: Queryable, event: AccountEvent): Promise<void> => {
  const { action, actorId, userId, appId, address } = event
  const actor = { kind: actorId === undefined ? 'anonymous' : 'user', userId: actorId, address } as const
  return recordAudit(database, { action, actor, userId, appId })
}
