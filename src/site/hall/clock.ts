// A masjid's country and its local times → clock times as people there write them, of 12 or 24 hours.
import type { Language } from '../../accounts/languages.ts'

export type ClockStyle = 'h12' | 'h24'

/** What is usual in a country, by the runtime's locale data. */
export const clockStyleOf = (country: string): ClockStyle => {
  const { hourCycle } = new Intl.DateTimeFormat(`en-${country}`, { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h24'
}

const NO_TIME = '–'

/** `2026-11-16T17:12:00` → `17:12` or `5:12 PM`; a dash if there is no time. */
export const clockText = (language: Language, style: ClockStyle, local: string | null): string => {
  if (local === null) return NO_TIME
  const hours =
    style === 'h24'
      ? ({ hour: '2-digit', hourCycle: 'h23' } as const)
      : ({ hour: 'numeric', hourCycle: 'h12' } as const)
  return new Intl.DateTimeFormat(language, { ...hours, minute: '2-digit', timeZone: 'UTC' }).format(
    new Date(`${local.slice(0, 19)}Z`),
  )
}

/** For tables: without am and pm, since the column says which half of the day it is. */
export const tableClock = (language: Language, style: ClockStyle, local: string | null): string => {
  if (local === null || style === 'h24') return clockText(language, 'h24', local)
  const hour = Number(local.slice(11, 13)) % 12 || 12
  return clockText(
    language,
    'h24',
    `${local.slice(0, 11)}${String(hour).padStart(2, '0')}${local.slice(13, 19)}`,
  ).replace(/^[0٠](?=\p{Nd})/u, '')
}
