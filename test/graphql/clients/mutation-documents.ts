// What the clients of this folder send that are not made for Hasura.

/** Inserts an event, or renames it if there is one with this id. */
export const upsertEvent = `mutation UpsertEvent($event: up_events_insert_input!) {
  insert_up_events_one(object: $event, on_conflict: {constraint: up_events_pkey, update_columns: [title]}) {
    id
    title
    masjid { id }
  }
}`

/** The same, and nothing is written. */
export const tryUpsert = upsertEvent.replace('!) {', '!) @dry_run {')
