// The names that Relay's view adds to those of every view: fields and types.
import type { Relation, Table } from '../../catalog/model.ts'

export const NODE_TYPE = 'Node'
export const PAGE_INFO_TYPE = 'PageInfo'

export const connectionField = (name: string): string => `${name}_connection`
export const connectionType = ({ name }: Table): string => `${name}Connection`
export const edgeType = ({ name }: Table): string => `${name}Edge`

const isTaken = ({ columns, computed, computedRows, relations }: Table, name: string): boolean =>
  [columns, computed, computedRows, relations].some(fields => fields.has(name))

/** Lists within a row that are shown as connections too, by field; whatever has the name already keeps it. */
export const connectionsOf = (table: Table): ReadonlyMap<string, Relation> =>
  new Map(
    [...table.relations.values()]
      .filter(({ kind, name }) => kind === 'array' && !isTaken(table, connectionField(name)))
      .map(relation => [connectionField(relation.name), relation]),
  )
