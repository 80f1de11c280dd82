// Counts and time → a line for people who wait: what was read, how fast, and how long it still takes.
import type { Counts } from './storing/import-source.ts'

export interface Position {
  readonly counts: Counts
  readonly elapsedMs: number
  readonly bytesRead: number
  readonly size: number | undefined
}

const number = (value: number): string => Math.round(value).toLocaleString('en')

const duration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

const kinds = ['added', 'updated', 'unchanged', 'duplicates', 'kept', 'refused', 'gone', 'deleted'] as const

/** Those that there are. */
export const countsText = (counts: Counts): string => {
  const parts = kinds.filter(kind => counts[kind] > 0).map(kind => `${number(counts[kind])} ${kind}`)
  return [`${number(counts.read)} rows read`, ...parts].join(', ')
}

export const progressText = ({ counts, elapsedMs, bytesRead, size }: Position): string => {
  const share = size === undefined || size === 0 ? undefined : Math.min(1, bytesRead / size)
  const left = share === undefined || share === 0 ? '' : `, about ${duration((elapsedMs * (1 - share)) / share)} left`
  const done = share === undefined ? '' : ` (${Math.floor(share * 100)} %)`
  return `${countsText(counts)}${done}; ${number((counts.read * 1000) / Math.max(elapsedMs, 1))} rows a second${left}`
}
