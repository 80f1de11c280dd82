// A step of the model → the mutation that asks the service for it, and what of its answer is compared.
import type { Step } from './model.ts'

export interface Asked {
  readonly query: string
  readonly variables: Record<string, unknown>
}

const shown = '{ id title pages version }'

export const mutationFor = (step: Step): Asked => {
  switch (step.kind) {
    case 'insert': {
      const { id, masjid, title, stars } = step
      const reviews = stars.map(count => ({ masjid_id: masjid, stars: count }))
      return {
        query: `mutation ($object: up_lib_books_insert_input!) { done: insert_up_lib_books(objects: [$object]) { affected_rows } }`,
        variables: { object: { id, masjid_id: masjid, title, lib_reviews: { data: reviews } } },
      }
    }
    case 'insertMany':
      return {
        query: `mutation ($objects: [up_lib_books_insert_input!]!) { done: insert_up_lib_books(objects: $objects) { affected_rows } }`,
        variables: { objects: step.rows.map(({ id, masjid, title }) => ({ id, masjid_id: masjid, title })) },
      }
    case 'upsert':
      return {
        query: `mutation ($object: up_lib_books_insert_input!) { done: insert_up_lib_books_one(object: $object,
          on_conflict: {constraint: up_lib_books_pkey, update_columns: [title]}) { id title } }`,
        variables: { object: { id: step.id, masjid_id: step.masjid, title: step.title } },
      }
    case 'update':
      return {
        query: `mutation ($id: uuid!, $title: String!) { done: update_up_lib_books_by_pk(pk_columns: {id: $id},
          _set: {title: $title}${step.version === undefined ? '' : `, if_version: ${step.version}`}) ${shown} }`,
        variables: { id: step.id, title: step.title },
      }
    case 'updateMany':
      return {
        query: `mutation ($title: String!, $pages: Int!, $most: Int!) { done: update_up_lib_books(
          where: {title: {_eq: $title}}, _set: {pages: $pages}, max_affected: $most) { affected_rows } }`,
        variables: { title: step.title, pages: step.pages, most: step.most },
      }
    case 'remove':
      return {
        query: `mutation ($id: uuid!) { done: delete_up_lib_books_by_pk(id: $id) ${shown} }`,
        variables: { id: step.id },
      }
    case 'restore':
      return {
        query: `mutation ($id: uuid!) { done: restore_up_lib_books_by_pk(id: $id) ${shown} }`,
        variables: { id: step.id },
      }
    case 'removeReview':
      return {
        query: `mutation ($number: Int!) { done: delete_up_lib_reviews(where: {stars: {_eq: $number}}) { affected_rows } }`,
        variables: { number: step.number },
      }
  }
}
