// The parameters of `/v1/hijri` and `/v1/hijri/next`: each with what it may be, for whoever reads or describes it.
import { FIRST_DATE, LAST_DATE, MOST_DAYS } from '../place-times/parameters.ts'
import { calculatedAuthorities } from './authority.ts'
import { occasionNames } from './next-days.ts'

export const MOST_COUNT = 10

const authorityParameters = {
  authority: `Whose calendar: ${calculatedAuthorities.join(' or ')}, or the id of an authority that announces months (/v1/hijri/authorities); umm_al_qura if left out.`,
  masjid: 'The calendar of a masjid instead, by its slug or id: what it announced itself, then its authority.',
  time_zone:
    'The IANA time zone in which it is today, if no day is given: that of the masjid, otherwise UTC, if left out.',
} as const

export const dayParameters = {
  date: `A single day, from ${FIRST_DATE} to ${LAST_DATE}. Without any date: today.`,
  from: 'The first day.',
  to: `The last day, at most ${MOST_DAYS} days in all; "from" if left out.`,
  hijri: 'A hijri date instead, such as 1448-09-01: answered with its day.',
  ...authorityParameters,
} as const

export const nextParameters = {
  day: `One of ${occasionNames.join(', ')}; all of them if left out.`,
  date: 'The day from which one looks ahead; today if left out. What is under way on it counts.',
  count: `How many of each, 1 to ${MOST_COUNT}; 1 if left out.`,
  ...authorityParameters,
} as const
