// What checks found, one after the other → which tables changed since which check.
import type { Changed } from './check-statements.ts'

/** Everything known since the connection was opened, or since something may have been missed. */
export interface Epoch {
  /** The server's identity, as its connections tell it. */
  readonly server: string
  /** The number of the last complete check. */
  check: number
  /** The number of the last check that found a change. */
  lastMark: number
  /** By qualified table name: the number of the last check that found it changed. */
  readonly marks: Map<string, number>
  /** The same, of changes that may concern any masjid. */
  readonly anywhere: Map<string, number>
  /** The same, by table and masjid. */
  readonly byMasjid: Map<string, number>
  /** By table: the masjids whose rows changed last. */
  readonly recent: Map<string, RecentChanges>
}

interface RecentChanges {
  /** Whatever checks after this one found is among `changes`. */
  since: number
  /** In the order of checks. */
  readonly changes: (readonly [check: number, masjid: string])[]
}

/** What something was read from: a table, or only its rows of some masjids. */
export interface ReadSource {
  readonly table: string
  /** Undefined if rows of any masjid may have been read. */
  readonly masjids: readonly string[] | undefined
}

const placeOf = (table: string, masjid: string): string => `${table} ${masjid}`

/** The number of the last check that found a change of it; 0 if there was none. */
export const lastChange = ({ marks, anywhere, byMasjid }: Epoch, { table, masjids }: ReadSource): number => {
  if (masjids === undefined) return marks.get(table) ?? 0
  const ofMasjids = masjids.map(masjid => byMasjid.get(placeOf(table, masjid)) ?? 0)
  return Math.max(anywhere.get(table) ?? 0, ...ofMasjids)
}

/** The masjids whose rows changed after a check; undefined if they are too many to know. */
export const changedAfter = ({ recent }: Epoch, table: string, check: number): readonly string[] | undefined => {
  const known = recent.get(table)
  if (known === undefined) return []
  if (check < known.since) return undefined
  const from = known.changes.findLastIndex(([found]) => found <= check) + 1
  return [...new Set(known.changes.slice(from).map(([, masjid]) => masjid))]
}

export interface Epochs {
  readonly current: Epoch | undefined
  add(server: string, changed: readonly Changed[]): void
  /** Something may have been missed. */
  forget(): void
}

/** Marks of single masjids: about 20 MB. */
const MOST_MASJIDS = 100_000
/** Of each table. */
const MOST_RECENT = 200

const noteRecent = ({ check, recent }: Epoch, table: string, masjids: readonly string[]): void => {
  const known = recent.get(table) ?? { since: 0, changes: [] }
  recent.set(table, known)
  if (masjids.length > MOST_RECENT) {
    known.since = check
    known.changes.length = 0
    return
  }
  for (const masjid of masjids) known.changes.push([check, masjid])
  // Half of them go at once, so that few changes move the others.
  if (known.changes.length > MOST_RECENT) known.since = known.changes.splice(0, MOST_RECENT / 2).at(-1)?.[0] ?? check
}

const markOne = (epoch: Epoch, [table, masjids]: Changed): void => {
  const { check, marks, anywhere, byMasjid } = epoch
  const known = masjids.filter(masjid => masjid !== null)
  marks.set(table, check)
  if (known.length < masjids.length) anywhere.set(table, check)
  for (const masjid of known) byMasjid.set(placeOf(table, masjid), check)
  noteRecent(epoch, table, known)
}

/** From now on, whatever has changed may have changed at any masjid. */
const forgetMasjids = ({ marks, anywhere, byMasjid }: Epoch): void => {
  for (const [table, check] of marks) anywhere.set(table, check)
  byMasjid.clear()
}

const startOf = (server: string): Epoch => ({
  server,
  check: 0,
  lastMark: 0,
  marks: new Map(),
  anywhere: new Map(),
  byMasjid: new Map(),
  recent: new Map(),
})

export const createEpochs = (): Epochs => {
  let current: Epoch | undefined

  const mark = (epoch: Epoch, changed: readonly Changed[]): void => {
    epoch.check += 1
    if (changed.length > 0) epoch.lastMark = epoch.check
    for (const one of changed) markOne(epoch, one)
    if (epoch.byMasjid.size > MOST_MASJIDS) forgetMasjids(epoch)
  }

  return {
    get current() {
      return current
    },
    add: (server, changed) => {
      current ??= startOf(server)
      mark(current, changed)
    },
    forget: () => {
      current = undefined
    },
  }
}
