// Catalogue and model → the statements that correct the rights to write: the writer may change what annotations allow, the reader nothing.
import type { ReaderGroup, WriterGroup } from '../db/roles.ts'
import { quoteIdentifier } from '../db/sql.ts'
import { readComment } from './annotations.ts'
import { type Grant, withLock } from './apply-grants.ts'
import type { Model, Table } from './model.ts'
import type { RawCatalog, RawRelation } from './raw-catalog.ts'
import { actionSubject } from './without-writing.ts'

interface Roles {
  readonly reader: ReaderGroup
  readonly writer: WriterGroup
}

interface Rights {
  readonly insert: ReadonlySet<string>
  readonly update: ReadonlySet<string>
  readonly delete: boolean
}

const none: Rights = { insert: new Set(), update: new Set(), delete: false }

/** Deleting softly is an update. */
const wantedFor = ({ writing, softDelete }: Table): Rights => {
  if (writing === undefined) return none
  const marks = writing.delete && softDelete !== undefined ? [softDelete] : []
  return {
    insert: new Set(writing.insertColumns.map(({ column }) => column)),
    update: new Set([...writing.updateColumns.map(({ column }) => column), ...marks]),
    delete: writing.delete && softDelete === undefined,
  }
}

const isExact = (raw: RawRelation, wanted: Rights): boolean =>
  raw.deletable === wanted.delete &&
  !raw.emptiable &&
  raw.columns.every(
    ({ name, insertable, updatable }) =>
      insertable === wanted.insert.has(name) && updatable === wanted.update.has(name),
  )

const columnRight = (right: string, columns: ReadonlySet<string>): string[] =>
  columns.size === 0 ? [] : [`${right} (${[...columns].map(quoteIdentifier).join(', ')})`]

const EVERY_CHANGE = 'insert, update, delete, truncate, trigger'

/** One statement to the server, so that no write in between lacks a right. */
const corrections = (target: string, wanted: Rights, { writer }: Roles): string => {
  const rights = [
    ...columnRight('insert', wanted.insert),
    ...columnRight('update', wanted.update),
    ...(wanted.delete ? ['delete'] : []),
  ]
  const revoke = `revoke ${EVERY_CHANGE} on ${target} from ${writer}`
  return rights.length === 0 ? revoke : `${revoke}; grant ${rights.join(', ')} on ${target} to ${writer}`
}

/** Hidden tables are the service's own: migrations give the writer its rights to them. */
const isHidden = ({ comment }: RawRelation): boolean => readComment(comment).annotations.has('hidden')

const tableGrants = (raw: RawRelation, table: Table | undefined, model: Model, roles: Roles): Grant[] => {
  const target = `${quoteIdentifier(model.schema)}.${quoteIdentifier(raw.name)}`
  const wanted = table === undefined ? none : wantedFor(table)
  const subject = table?.name ?? ''
  const grants: Grant[] = []
  const add = (statement: string): void => void grants.push([subject, withLock(raw, target, statement)])
  if (raw.writtenByReader) add(`revoke ${EVERY_CHANGE} on ${target} from public, ${roles.reader}`)
  if (!isHidden(raw) && (raw.writtenByReader || !isExact(raw, wanted))) add(corrections(target, wanted, roles))
  if (wanted.insert.size > 0)
    for (const { name, advanceable } of raw.sequences)
      if (!advanceable) grants.push([subject, `grant usage on sequence ${name} to ${roles.writer}`])
  return grants
}

const functionGrants = (catalog: RawCatalog, model: Model, { writer }: Roles): Grant[] => {
  const actions = new Map([...model.actions.values()].map(action => [action.function, action.name]))
  const called = catalog.functions.filter(({ name }) => actions.has(name))
  const wanted = new Set(called.map(({ signature }) => signature))
  return [
    ...called
      .filter(({ callable }) => !callable)
      .map(({ name, signature }): Grant => {
        const subject = actionSubject(actions.get(name) ?? name)
        return [subject, `grant execute on function ${signature} to ${writer}`]
      }),
    ...catalog.granted
      .filter(signature => !wanted.has(signature))
      .map((signature): Grant => ['', `revoke execute on function ${signature} from ${writer}`]),
  ]
}

export const missingWriteGrants = (catalog: RawCatalog, model: Model, roles: Roles): readonly Grant[] => {
  const byRelation = new Map([...model.tables.values()].map(table => [table.relation, table]))
  return [
    ...catalog.relations.flatMap(raw => tableGrants(raw, byRelation.get(raw.name), model, roles)),
    ...functionGrants(catalog, model, roles),
  ]
}
