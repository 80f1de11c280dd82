// cancel_event: one occurrence of an event does not take place.
import * as z from 'zod'
import { defineChangeTool } from '../changes/change-tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { findOccurrence, occurrenceInWords } from './find-occurrence.ts'

const CANCEL = `mutation Cancel($id: uuid!, $version: bigint!) {
  written: update_up_event_occurrences_by_pk(pk_columns: {id: $id}, _set: {status: cancelled}, if_version: $version) { id }
}`

const notYours = (): ToolRefusal =>
  new ToolRefusal('Nothing was cancelled: this needs the capability "events" at the masjid.')

export const cancelEvent = defineChangeTool({
  name: 'cancel_event',
  title: 'Cancel an event',
  description: 'For staff: cancels one occurrence of an event. Those who answered see it as cancelled.',
  scopes: ['masjid:read', 'events:read', 'events:write'],
  input: { occurrence: z.string().max(100).describe('As list_events returns it.') },
  attempt: async (call, { occurrence }) => {
    const found = await findOccurrence(call, occurrence)
    if (found.status === 'cancelled') throw new ToolRefusal('It is cancelled already.')
    const { id, version } = found
    const { written } = await call.ask<{ written: unknown }>({
      query: CANCEL,
      variables: { id, version },
      dryRun: true,
    })
    if (written === null) throw notYours()
    const going = found.going_count === 0 ? '' : ` ${found.going_count} places are taken.`
    return { words: `Would be cancelled: ${occurrenceInWords(found)}.${going}`, basis: { id, version } }
  },
  make: async ({ ask }, _input, { id, version }) => {
    const { written } = await ask<{ written: unknown }>({ query: CANCEL, variables: { id, version } })
    if (written === null) throw notYours()
    return 'Done. The occurrence is cancelled.'
  },
})
