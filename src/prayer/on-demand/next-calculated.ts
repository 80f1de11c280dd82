// Masjids of a list that have no coming prayer stored → the next prayer of each, calculated.
import { dateOf, dayNumberAt } from '../../base/civil-date.ts'
import { type Ask, askUnstored, prayersOfDay } from './ask-unstored.ts'

export type CalculatedPrayer = ReturnType<typeof prayersOfDay>[number]

/** It is yesterday or tomorrow already somewhere. */
export const daysNear = (now: Date): { readonly from: string; readonly until: string } => {
  const today = dayNumberAt(now)
  return { from: dateOf(today - 1), until: dateOf(today + 1) }
}

const adhanOf = ({ adhan_at }: CalculatedPrayer): number => Date.parse(adhan_at ?? '')

const none: ReadonlySet<string> = new Set()

const askNext = async (ask: Ask, masjid: string, now: Date): Promise<CalculatedPrayer | undefined> => {
  const days = await askUnstored(ask, { masjid, ...daysNear(now) }, none)
  return days
    .flatMap(prayersOfDay)
    .filter(prayer => adhanOf(prayer) > now.getTime())
    .sort((one, other) => adhanOf(one) - adhanOf(other))[0]
}

/** By the masjid's id. Of one that was deleted meanwhile, or cannot be calculated, nothing is known: that concerns no other. */
export const askNextCalculated = async (
  ask: Ask,
  masjids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, CalculatedPrayer>> => {
  const found = await Promise.all(
    masjids.map(async masjid => [masjid, await askNext(ask, masjid, now).catch(() => undefined)] as const),
  )
  return new Map(found.filter((one): one is readonly [string, CalculatedPrayer] => one[1] !== undefined))
}
