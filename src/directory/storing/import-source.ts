// What an import is about: which directory, under which licence, and whether it only tries.
export interface ImportSource {
  readonly name: string
  readonly licence: string
}

/** What became of a row, as the report names it. */
type Happened = 'refused' | 'duplicate' | 'kept' | 'gone' | 'deleted'

export interface ReportLine {
  readonly happened: Happened
  readonly line: number | null
  readonly sourceId: string
  readonly column: string
  readonly reason: string
  /** The masjid concerned, where there is one. */
  readonly masjidId: string | null
}

/** Rows by what became of them. */
export interface Counts {
  readonly read: number
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicates: number
  readonly kept: number
  readonly refused: number
  readonly gone: number
  readonly deleted: number
}

export const noCounts: Counts = {
  read: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  duplicates: 0,
  kept: 0,
  refused: 0,
  gone: 0,
  deleted: 0,
}

export interface Done {
  readonly counts: Partial<Counts>
  readonly lines: readonly ReportLine[]
}

export const sumCounts = (one: Counts, other: Partial<Counts>): Counts => ({
  read: one.read + (other.read ?? 0),
  added: one.added + (other.added ?? 0),
  updated: one.updated + (other.updated ?? 0),
  unchanged: one.unchanged + (other.unchanged ?? 0),
  duplicates: one.duplicates + (other.duplicates ?? 0),
  kept: one.kept + (other.kept ?? 0),
  refused: one.refused + (other.refused ?? 0),
  gone: one.gone + (other.gone ?? 0),
  deleted: one.deleted + (other.deleted ?? 0),
})
