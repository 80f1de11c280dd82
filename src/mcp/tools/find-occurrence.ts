// The id of an occurrence → what is known about it, for those who cancel or answer it.
import type { Call } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { byOthers, momentInWords } from '../words.ts'
import { isUuid } from './masjid-input.ts'

export interface FoundOccurrence {
  readonly id: string
  readonly version: number
  readonly masjid_id: string
  readonly starts_at: string
  readonly status: string
  readonly going_count: number
  readonly event: { readonly title: string }
  readonly masjid: { readonly name: string; readonly timezone: string }
}

const QUERY = `query Occurrence($id: uuid!) {
  occurrence: up_event_occurrences_by_pk(id: $id) {
    id version masjid_id starts_at status going_count event { title } masjid { name timezone }
  }
}`

/** @throws {ToolRefusal} */
export const findOccurrence = async ({ ask }: Call, id: string): Promise<FoundOccurrence> => {
  const found = isUuid(id)
    ? await ask<{ occurrence: FoundOccurrence | null }>({ query: QUERY, variables: { id } })
    : { occurrence: null }
  if (found.occurrence === null) throw new ToolRefusal('There is no such occurrence. Look it up with list_events.')
  return found.occurrence
}

/** `[written by others: "Quran circle"] at Larkspur Lane Masjid, 19:30 on …` */
export const occurrenceInWords = ({ event, masjid, starts_at }: FoundOccurrence): string =>
  `${byOthers(event.title)} at ${masjid.name}, ${momentInWords(new Date(starts_at), masjid.timezone)}`
