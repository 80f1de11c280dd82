// What a column of a sheet can be. Roles are plain text, so that forms and the database can keep them.
import { dailyPrayers } from '../../prayer/daily-prayers.ts'
import type { DailyPrayer } from '../words/heading-words.ts'

type TimeKind = 'adhan' | 'iqamah'

/** `time` is a column of a prayer that does not say whether it is the adhan or the iqamah. */
export type Role =
  | 'ignore'
  | 'date'
  | 'day'
  | 'month'
  | 'year'
  | 'weekday'
  | `${TimeKind | 'time'}:${DailyPrayer}:${number}`

export interface TimeRole {
  readonly kind: TimeKind | 'time'
  readonly prayer: DailyPrayer
  readonly session: number
}

const times = /^(adhan|iqamah|time):(fajr|dhuhr|asr|maghrib|isha|jumuah|taraweeh):([1-9])$/

export const timeRoleOf = (role: string): TimeRole | undefined => {
  const [, kind, prayer, session] = times.exec(role) ?? []
  return kind === undefined
    ? undefined
    : { kind: kind as TimeRole['kind'], prayer: prayer as DailyPrayer, session: Number(session) }
}

const others = ['ignore', 'date', 'day', 'month', 'year', 'weekday']

export const isRole = (text: string): text is Role => others.includes(text) || timeRoleOf(text) !== undefined

export const roleOf = ({ kind, prayer, session }: TimeRole): Role => `${kind}:${prayer}:${session}`

/** What a person chooses from: two sessions of Jumu'ah are common, three occur. */
export const choosableRoles: readonly Role[] = [
  'ignore',
  'date',
  'day',
  'month',
  'year',
  'weekday',
  ...dailyPrayers.flatMap(prayer => [`adhan:${prayer}:1`, `iqamah:${prayer}:1`] as const),
  'iqamah:jumuah:1',
  'iqamah:jumuah:2',
  'iqamah:jumuah:3',
  'iqamah:taraweeh:1',
]

/** What a sheet's columns are, and what a person answered. */
export interface Reading {
  /** The index of the first row that is not a heading. */
  readonly first: number
  readonly columns: readonly Role[]
  readonly order?: 'dmy' | 'mdy' | undefined
  readonly year?: number | undefined
  readonly month?: number | undefined
}
