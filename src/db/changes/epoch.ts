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

export interface Epochs {
  readonly current: Epoch | undefined
  /** The snapshot is still the one that was seen: nothing has become visible since. */
  confirm(): void
  /** `isGap`: something may have been missed before. */
  add(server: string, changed: readonly Changed[], isGap: boolean): void
  /** Something may have been missed. */
  forget(): void
}

/** Marks of single masjids: about 20 MB. */
const MOST_MASJIDS = 100_000

const markOne = ({ check, marks, anywhere, byMasjid }: Epoch, [table, masjids]: Changed): void => {
  marks.set(table, check)
  for (const masjid of masjids)
    if (masjid === null) anywhere.set(table, check)
    else byMasjid.set(placeOf(table, masjid), check)
}

/** From now on, whatever has changed may have changed at any masjid. */
const forgetMasjids = ({ marks, anywhere, byMasjid }: Epoch): void => {
  for (const [table, check] of marks) anywhere.set(table, check)
  byMasjid.clear()
}

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
    confirm: () => {
      if (current !== undefined) mark(current, [])
    },
    add: (server, changed, isGap) => {
      if (isGap) current = undefined
      current ??= { server, check: 0, lastMark: 0, marks: new Map(), anywhere: new Map(), byMasjid: new Map() }
      mark(current, changed)
    },
    forget: () => {
      current = undefined
    },
  }
}
