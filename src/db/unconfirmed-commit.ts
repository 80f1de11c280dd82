// A notice of the server → whether it says that a commit was not confirmed by its synchronous standby.
import { databaseUnavailable } from './database-fault.ts'

/**
 * A statement that is cancelled, or out of time, while it waits for the standby succeeds all the same, with a warning: "The
 * transaction has already committed locally, but might not have been replicated to the standby." After a failover it would
 * be gone, so that nobody may be told that it was done. The warning has no code of its own and its text is translated; the
 * name of the server's function is neither.
 */
export const isUnconfirmed = ({ routine }: { readonly routine?: string | undefined }): boolean =>
  routine === 'SyncRepWaitForLSN'

export const unconfirmed = (): Error => databaseUnavailable(new Error('the standby did not confirm the commit'))
