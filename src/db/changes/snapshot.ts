// A snapshot, as PostgreSQL writes it → which transactions it may not have seen.
// https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT

export interface Seen {
  /** `xmin:xmax:xip,xip` */
  readonly snapshot: string
  /** It was taken on a standby, where the list of running transactions is always empty: all of them, from xmin on, may be running. */
  readonly standby: boolean
  /** On a standby: transactions from xmin on whose rows were seen. A transaction becomes visible as a whole. */
  readonly known: readonly string[]
}

/** Log rows of these transactions were not in the snapshot, or were seen already and are named in `known`. */
export interface Unseen {
  readonly from: string | null
  readonly running: readonly string[]
  readonly known: readonly string[]
}

const nothing: Unseen = { from: null, running: [], known: [] }

export const unseenBy = (seen: Seen | undefined): Unseen => {
  if (seen === undefined) return nothing
  const { snapshot, standby, known } = seen
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  if (standby) return { from: xmin, running: [], known }
  return { from: xmax, running: running === '' ? [] : running.split(','), known: [] }
}

const xminOf = (snapshot: string): bigint => BigInt(snapshot.slice(0, snapshot.indexOf(':')))

/** Whether a transaction that it may not have seen is older than the log. */
export const isBefore = (seen: Seen | undefined, since: string | null): boolean =>
  seen !== undefined && since !== null && xminOf(seen.snapshot) < BigInt(since)

/** Those that the next check would meet again. */
export const stillKnown = (snapshot: string, xids: Iterable<string>): string[] => {
  const xmin = xminOf(snapshot)
  return [...new Set(xids)].filter(xid => BigInt(xid) >= xmin)
}
