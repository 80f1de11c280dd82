// A prayer as feeds have it.

export interface FeedTime {
  readonly date: string
  readonly prayer: string
  readonly session: number
  readonly label: string | null
  readonly adhan_at: Date | null
  readonly iqamah_at: Date | null
  readonly khutbah_at: Date | null
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
  readonly hijri: string
  readonly is_ramadan: boolean
  readonly source: string
  readonly source_updated_at: Date
}
