// rsvp_to_event: the answer of the person who is signed in, as a member of the masjid.
import * as z from 'zod'
import { defineChangeTool } from '../changes/change-tool.ts'
import type { Call } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { findOccurrence, occurrenceInWords } from './find-occurrence.ts'

const input = {
  occurrence: z.string().max(100).describe('As list_events returns it.'),
  answer: z.enum(['going', 'maybe', 'declined']),
  party_size: z.int().min(1).max(50).optional().describe('How many come, the person included; 1 if left out.'),
}

const MEMBERSHIP = `query Membership($me: uuid!, $masjid: uuid!) {
  members: ua_members(where: {user_id: {_eq: $me}, masjid_id: {_eq: $masjid}}, limit: 1) { id }
}`

const ANSWER = `mutation Answer($object: up_event_rsvps_insert_input!) {
  written: insert_up_event_rsvps_one(
    object: $object
    on_conflict: {constraint: up_event_rsvps_occurrence_id_member_id_key, update_columns: [status, party_size]}
  ) { status party_size }
}`

interface Answered {
  readonly written: { readonly status: string; readonly party_size: number }
}

/** Guests answer on the masjid's own page. @throws {ToolRefusal} */
const membershipAt = async ({ ask, grant }: Call, masjid: string): Promise<string> => {
  if (grant.userId === undefined) throw new ToolRefusal('Nobody is signed in: this tool answers for one person.')
  const variables = { me: grant.userId, masjid }
  const { members } = await ask<{ members: readonly { id: string }[] }>({ query: MEMBERSHIP, variables })
  const [member] = members
  if (member === undefined)
    throw new ToolRefusal('The person is not a member of this masjid, so they cannot answer here.')
  return member.id
}

const meaning = ({ written: { status, party_size: size } }: Answered): string =>
  status === 'waitlisted' ? `on the waiting list, for ${size}` : `${status}, for ${size}`

export const rsvpToEvent = defineChangeTool({
  name: 'rsvp_to_event',
  title: 'Answer an event',
  description: 'Says whether the person who is signed in comes to an event, or changes what they said before.',
  scopes: ['masjid:read', 'events:read', 'members:read', 'events:write'],
  input,
  attempt: async (call, { occurrence, answer, party_size: size = 1 }) => {
    const found = await findOccurrence(call, occurrence)
    if (found.status === 'cancelled') throw new ToolRefusal('The event is cancelled.')
    const member = await membershipAt(call, found.masjid_id)
    const object = { occurrence_id: found.id, member_id: member, status: answer, party_size: size }
    const answered = await call.ask<Answered>({ query: ANSWER, variables: { object }, dryRun: true })
    return { words: `${occurrenceInWords(found)}: ${meaning(answered)}.`, basis: { object } }
  },
  make: async ({ ask }, _input, { object }) => {
    const answered = await ask<Answered>({ query: ANSWER, variables: { object } })
    return `Done: ${meaning(answered)}.`
  },
})
