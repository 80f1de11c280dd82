// The changes that are asked of every contender: the same row, written and read back, each in its own dialect.
import { NOTICE_COUNT, NOTICES, UNAUDITED_NOTICES } from '../data/notices.ts'
import type { WriteRoute } from '../servers/hand-written-writes.ts'
import { masjidId, rowId, type Variables } from './questions.ts'

export interface Write {
  readonly name: string
  readonly title: string
  readonly variables: readonly Variables[]
  /** For Minaret; on another table for what the audit trail costs. */
  document(table: string): string
  readonly postgraphile: string
  readonly route: WriteRoute
}

/** The masjid whose own app writes. */
export const HOME = masjidId(1)

const POOL = 2000
const BODY = 'Parking is at the school next door; the doors open half an hour before.'

const fields = 'id title body priority version masjid { id name }'
const read = `
  select json_build_object('id', notice.id, 'title', title, 'body', body, 'priority', priority, 'version', version,
    'masjid', (select json_build_object('id', masjid.id, 'name', masjid.name) from up_masjids masjid
      where masjid.id = notice.masjid_id and masjid.deleted_at is null)) as row
  from ${NOTICES} notice where notice.id = $1`

const pool = (make: (index: number) => Variables): readonly Variables[] =>
  Array.from({ length: POOL }, (_, index) => make(index))

const insert: Write = {
  name: 'writing.insert',
  title: 'Insert a row and return it',
  variables: pool(index => ({ masjid: HOME, title: `Notice ${index}`, body: BODY, priority: index % 5 })),
  document: table => `mutation Insert($masjid: uuid!, $title: String!, $body: String!, $priority: Int!) {
    insert_${table}_one(object: {masjid_id: $masjid, title: $title, body: $body, priority: $priority}) { ${fields} } }`,
  postgraphile: `mutation Insert($masjid: UUID!, $title: String!, $body: String!, $priority: Int!) {
    createUpNotice(input: {upNotice: {masjidId: $masjid, title: $title, body: $body, priority: $priority}}) {
      upNotice { rowId title body priority version upMasjidByMasjidId { rowId name } } } }`,
  route: {
    path: '/insert',
    write: `insert into ${NOTICES} (masjid_id, title, body, priority) values ($1, $2, $3, $4) returning id`,
    parameters: ['masjid', 'title', 'body', 'priority'],
    read,
    field: `insert_${NOTICES}_one`,
  },
}

const update: Write = {
  name: 'writing.update',
  title: 'Update a row by its key and return it',
  variables: pool(index => ({
    id: rowId(`notice${1 + ((index * 9) % NOTICE_COUNT)}`),
    title: `Notice ${index}`,
    body: BODY,
  })),
  document: table => `mutation Update($id: uuid!, $title: String!, $body: String!) {
    update_${table}_by_pk(pk_columns: {id: $id}, _set: {title: $title, body: $body}) { ${fields} } }`,
  postgraphile: `mutation Update($id: UUID!, $title: String!, $body: String!) {
    updateUpNoticeByRowId(input: {rowId: $id, upNoticePatch: {title: $title, body: $body}}) {
      upNotice { rowId title body priority version upMasjidByMasjidId { rowId name } } } }`,
  route: {
    path: '/update',
    write: `update ${NOTICES} set title = $2, body = $3 where id = $1 returning id`,
    parameters: ['id', 'title', 'body'],
    read,
    field: `update_${NOTICES}_by_pk`,
  },
}

export const writes: readonly Write[] = [insert, update]

export const tables = { audited: NOTICES, unaudited: UNAUDITED_NOTICES }
