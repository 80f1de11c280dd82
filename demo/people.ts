/** Invents 2,000 members in households, spread unevenly over the masjids, each with an administrator and a board. */
import { addDays } from './calendar.ts'
import { fixturePhone, type Masjid } from './directory.ts'
import { fixtureId } from './fixture-id.ts'
import { createRandom, type Random } from './random.ts'

const memberCount = 2000

export type Member = {
  readonly id: string
  readonly masjid_id: string
  readonly household_id: string
} & Readonly<Record<string, unknown>>

export type People = {
  readonly households: readonly Readonly<Record<string, unknown>>[]
  readonly members: readonly Member[]
}

export function generatePeople(seed: number, today: string, masjids: readonly Masjid[]): People {
  const random = createRandom(seed, 'people')
  const households: Record<string, unknown>[] = []
  const members: Member[] = []
  shareOut(random, masjids).forEach(({ masjid, count }) => {
    let placesLeft = 0
    for (let position = 0; position < count; position += 1) {
      if (placesLeft === 0) {
        placesLeft = random.integer(1, 6)
        households.push(inventHousehold({ seed, random, masjid, index: households.length }))
      }
      placesLeft -= 1
      const household = households.length - 1
      members.push(inventMember({ seed, today, random, masjid, position, household, index: members.length }))
    }
  })
  return { households, members }
}

/** At least eight people each; the rest as it falls. */
function shareOut(random: Random, masjids: readonly Masjid[]) {
  const counts = masjids.map(() => 8)
  for (let left = memberCount - 8 * masjids.length; left > 0; left -= 1) {
    const favourite = Math.floor(masjids.length * random.next() ** 2)
    counts[favourite] = (counts[favourite] ?? 0) + 1
  }
  return masjids.map((masjid, index) => ({ masjid, count: counts[index] ?? 0 }))
}

function inventHousehold({
  seed,
  random,
  masjid,
  index,
}: {
  seed: number
  random: Random
  masjid: Masjid
  index: number
}) {
  return {
    id: fixtureId(seed, 'ua_households', index),
    masjid_id: masjid.id,
    name: `Sample Household ${String(index + 1).padStart(3, '0')}`,
    address: `${random.integer(1, 400)} Invented Close`,
    city: masjid.city,
    state: masjid.state,
    postal_code: masjid.postal_code,
  }
}

type Recipe = {
  seed: number
  today: string
  random: Random
  masjid: Masjid
  position: number
  household: number
  index: number
}

function inventMember({ seed, today, random, masjid, position, household, index }: Recipe): Member {
  const number = String(index + 1).padStart(3, '0')
  const joined = addDays(today, -random.integer(30, 3000))
  // the fourth of each masjid is the plain member whom a demo account may be linked to: active, and sharing nothing
  const agreed = position !== 3 && random.chance(0.4)
  return {
    id: fixtureId(seed, 'ua_members', index),
    masjid_id: masjid.id,
    household_id: fixtureId(seed, 'ua_households', household),
    role:
      position < 3
        ? (['admin', 'board', 'imam'] as const)[position]
        : position > 3 && random.chance(0.1)
          ? 'volunteer'
          : 'member',
    status:
      position < 4
        ? 'active'
        : random.pick(['active', 'active', 'active', 'active', 'active', 'inactive', 'pending'] as const),
    given_name: 'Sample',
    family_name: `Member ${number}`,
    email: `member${number}@example.org`,
    phone: random.chance(0.7) ? fixturePhone(masjid.country, index) : null,
    joined_on: joined,
    consent_api_sharing: agreed,
    consent_at: agreed ? `${addDays(joined, 1)}T12:00:00Z` : null,
  }
}
