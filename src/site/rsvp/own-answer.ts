// What the visitor has answered, and the documents that read and write it.
import type { AnswerStatus } from '../../accounts/guest-answers.ts'

export interface OwnAnswer {
  readonly status: AnswerStatus | 'waitlisted' | 'attended'
  readonly party_size: number
}

export const OWN = `query Own($id: uuid!) {
  own: up_own_rsvps(where: {occurrence_id: {_eq: $id}}, limit: 1) { status party_size }
}`

export const ANSWER = `mutation Answer($id: uuid!, $status: up_rsvp_status!, $size: Int!) {
  answered: up_rsvp(args: {occurrence_id: $id, status: $status, party_size: $size}) { status party_size }
}`
