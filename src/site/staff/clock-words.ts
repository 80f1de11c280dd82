// Local times of a masjid → words. They are never converted: a page shows the masjid's clock, whatever the visitor's.
import type { View } from '../frame/view.ts'

/** `2026-11-16T05:12:00` → `05:12`; a dash if there is no time. */
export const clockOf = ({ language }: View, local: string | null): string => {
  if (local === null) return '–'
  const moment = new Date(`${local.slice(0, 19)}Z`)
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(moment)
}
