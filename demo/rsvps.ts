/** Occurrences and members become answers: who comes, who might, who waits for a place. */
import { fixtureId } from './fixture-id.ts'
import type { FixtureRow } from './generate-fixtures.ts'
import { createRandom, type Random } from './random.ts'

export type Occurrence = {
  readonly id: string
  readonly event_id: string
  readonly masjid_id: string
  readonly starts_local: string
  readonly starts_at: string
  readonly capacity: number | null
}

export type Invited = { readonly id: string; readonly masjid_id: string }

type Scene = {
  readonly seed: number
  /** The instant before which occurrences count as past. */
  readonly now: string
  readonly occurrences: readonly Occurrence[]
  readonly members: readonly Invited[]
}

export function generateRsvps({ seed, now, occurrences, members }: Scene): FixtureRow[] {
  const membersOf = Map.groupBy(members, member => member.masjid_id)
  return occurrences.flatMap(occurrence => {
    // a stream for each occurrence: answers do not change when other occurrences come and go
    const random = createRandom(seed, `rsvps:${occurrence.event_id}:${occurrence.starts_local}`)
    if (!random.chance(0.35)) return []
    const people = random.some(membersOf.get(occurrence.masjid_id) ?? [], 0.2).map(member => ({ member: member.id }))
    const guests = random.chance(0.3) ? [{ guest: random.integer(1, 999) }] : []
    return answer({ seed, random, occurrence, past: occurrence.starts_at < now }, [...people, ...guests])
  })
}

type Party = { readonly member: string } | { readonly guest: number }
type Setting = {
  readonly seed: number
  readonly random: Random
  readonly occurrence: Occurrence
  readonly past: boolean
}

/** Places are given in order until the room is full; whoever comes then waits. */
function answer({ seed, random, occurrence, past }: Setting, parties: readonly Party[]): FixtureRow[] {
  let placesLeft = occurrence.capacity ?? Number.POSITIVE_INFINITY
  return parties.map((party, position) => {
    const wish = random.pick(['going', 'going', 'going', 'maybe', 'declined'] as const)
    const size = random.pick([1, 1, 1, 2, 4])
    const fits = size <= placesLeft
    if (wish === 'going' && fits) placesLeft -= size
    const name = 'member' in party ? party.member : `guest ${party.guest}`
    return {
      id: fixtureId(seed, 'up_event_rsvps', `${occurrence.event_id}:${occurrence.starts_local}:${name}`),
      occurrence_id: occurrence.id,
      masjid_id: occurrence.masjid_id,
      member_id: 'member' in party ? party.member : null,
      guest_name: 'guest' in party ? `Sample Guest ${party.guest}` : null,
      guest_email: 'guest' in party ? `guest${party.guest}@example.org` : null,
      status: wish !== 'going' ? wish : !fits ? 'waitlisted' : past ? 'attended' : 'going',
      party_size: size,
      responded_at: minutesBefore(occurrence.starts_at, 3 * 1440 - position * 5),
    }
  })
}

function minutesBefore(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) - minutes * 60_000).toISOString()
}
