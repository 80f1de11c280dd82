// rsvp_to_event: the answer of the person who is signed in.
import * as z from 'zod'
import { defineChangeTool } from '../changes/change-tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { findOccurrence, occurrenceInWords } from './find-occurrence.ts'

const input = {
  occurrence: z.string().max(100).describe('As list_events returns it.'),
  answer: z.enum(['going', 'maybe', 'declined']),
  party_size: z
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe('How many come, the person included; as before if left out, 1 at first.'),
}

const ANSWER = `mutation Answer($occurrence: uuid!, $answer: up_rsvp_status!, $size: Int) {
  written: up_rsvp(args: {occurrence_id: $occurrence, status: $answer, party_size: $size}) { status party_size }
}`

interface Answered {
  readonly written: { readonly status: string; readonly party_size: number }
}

const meaning = ({ written: { status, party_size: size } }: Answered): string =>
  status === 'waitlisted' ? `on the waiting list, for ${size}` : `${status}, for ${size}`

export const rsvpToEvent = defineChangeTool({
  name: 'rsvp_to_event',
  title: 'Answer an event',
  description: 'Says whether the person who is signed in comes to an event, or changes what they said before.',
  scopes: ['masjid:read', 'events:read', 'events:write'],
  input,
  attempt: async (call, { occurrence, answer, party_size: size }) => {
    if (call.grant.userId === undefined) throw new ToolRefusal('Nobody is signed in: this tool answers for one person.')
    const found = await findOccurrence(call, occurrence)
    const variables = { occurrence: found.id, answer, ...(size === undefined ? {} : { size }) }
    const answered = await call.ask<Answered>({ query: ANSWER, variables, dryRun: true })
    return { words: `${occurrenceInWords(found)}: ${meaning(answered)}.`, basis: variables }
  },
  make: async ({ ask }, _input, variables) => {
    const answered = await ask<Answered>({ query: ANSWER, variables })
    return `Done: ${meaning(answered)}.`
  },
})
