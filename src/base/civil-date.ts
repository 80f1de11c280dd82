// Dates without a time zone: `2026-02-18` and its day number since 1970, so that the process's time zone cannot shift them.

const DAY_MS = 86_400_000

/** Days since 1970-01-01. */
export type DayNumber = number

export const dayNumberOf = (date: string): DayNumber => Date.parse(`${date}T00:00:00Z`) / DAY_MS

export const dateOf = (day: DayNumber): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export const dayNumberAt = (moment: Date): DayNumber => Math.floor(moment.getTime() / DAY_MS)

/** Midnight UTC of the day, in milliseconds. */
export const startOfDay = (day: DayNumber): number => day * DAY_MS
