// A masjid's country and its local times → clock times as people there write them, of 12 or 24 hours.
import type { Language } from '../../accounts/languages.ts'
import { madeOnce } from './formats.ts'

/** 24 or 12 hours. */
export type ClockCycle = 'h23' | 'h12'

/** What is usual in a country, by the runtime's locale data. */
export const clockCycleOf = madeOnce((country: string): ClockCycle => {
  const { hourCycle } = new Intl.DateTimeFormat(`en-${country}`, { hour: 'numeric' }).resolvedOptions()
  return hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23'
})

const clockFormat = madeOnce((key: `${Language} ${ClockCycle}`) => {
  const [language, hourCycle] = key.split(' ') as [Language, ClockCycle]
  const hour = hourCycle === 'h12' ? 'numeric' : '2-digit'
  return new Intl.DateTimeFormat(language, { hour, minute: '2-digit', hourCycle, timeZone: 'UTC' })
})

/** Of each minute of a day: a month of times has the same ones again and again. */
const minuteWords = madeOnce((key: `${Language} ${ClockCycle} ${string}`) => {
  const [language, hourCycle, minute] = key.split(' ') as [Language, ClockCycle, string]
  return clockFormat(`${language} ${hourCycle}`).format(new Date(`2000-01-01T${minute}:00Z`))
})

/** `2026-11-16T05:12:00` → `05:12`, or `5:12 AM`; a dash if there is no time. */
export const clockWords = (language: Language, local: string | null, hourCycle: ClockCycle = 'h23'): string =>
  local === null ? '–' : minuteWords(`${language} ${hourCycle} ${local.slice(11, 16)}`)

/** For tables: without am and pm, since the column says which half of the day it is. */
export const tableClock = (language: Language, local: string | null, hourCycle: ClockCycle): string => {
  if (local === null || hourCycle === 'h23') return clockWords(language, local)
  const hour = Number(local.slice(11, 13)) % 12 || 12
  const morning = `${local.slice(0, 11)}${String(hour).padStart(2, '0')}${local.slice(13, 19)}`
  return clockWords(language, morning).replace(/^[0٠](?=\p{Nd})/u, '')
}
