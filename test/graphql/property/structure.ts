// The database's own catalogue → the tables, columns and foreign keys used by the evaluation; nothing comes from the engine.
import type { Queryable } from '../../../src/db/database.ts'
import { sql } from '../../../src/db/sql.ts'

type Kind =
  | 'array'
  | 'bigint'
  | 'boolean'
  | 'date'
  | 'enum'
  | 'float'
  | 'integer'
  | 'interval'
  | 'json'
  | 'numeric'
  | 'range'
  | 'text'
  | 'time'
  | 'timestamp'
  | 'uuid'
  | 'other'

export interface Type {
  readonly kind: Kind
  readonly name: string
  readonly labels: readonly string[]
  readonly element: Type | undefined
}

export interface Column {
  readonly name: string
  readonly type: Type
}

export interface Relation {
  readonly kind: 'object' | 'array'
  readonly name: string
  readonly target: string
  readonly join: readonly (readonly [own: string, target: string])[]
}

export interface Table {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  readonly relations: ReadonlyMap<string, Relation>
  readonly key: readonly string[]
  readonly softDelete: string | undefined
  readonly personal: boolean
}

export type Structure = ReadonlyMap<string, Table>

const kinds: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  int2: 'integer',
  int4: 'integer',
  int8: 'bigint',
  numeric: 'numeric',
  float4: 'float',
  float8: 'float',
  text: 'text',
  varchar: 'text',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  interval: 'interval',
  jsonb: 'json',
  daterange: 'range',
  int4range: 'range',
}

interface RawColumn {
  readonly table_name: string
  readonly table_comment: string | null
  readonly name: string
  readonly comment: string | null
  readonly type: string
  readonly element: string | null
  readonly labels: string[]
  readonly key_position: number | null
}

const readColumns = (database: Queryable): Promise<RawColumn[]> =>
  database.query<RawColumn>(sql`
    select c.relname as table_name, obj_description(c.oid, 'pg_class') as table_comment, a.attname as name,
      col_description(c.oid, a.attnum) as comment, t.typname as type, e.typname as element,
      array(select enumlabel::text from pg_enum where enumtypid = coalesce(e.oid, t.oid) order by enumsortorder) as labels,
      array_position(i.indkey::int2[], a.attnum) as key_position
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and c.relname ~ '^(up|ua|pc)_'
      -- the cursor is another at every look
      and not (a.attname = 'cursor' and c.relname in ('up_changes', 'pc_changes'))
    order by c.relname, a.attnum`)

interface RawKey {
  readonly from_table: string
  readonly to_table: string
  readonly comment: string | null
  readonly columns: string[]
  readonly targets: string[]
  /** At most one row refers to each. */
  readonly single: boolean
}

const readKeys = (database: Queryable): Promise<RawKey[]> =>
  database.query<RawKey>(sql`
    select k.conrelid::regclass::text as from_table, k.confrelid::regclass::text as to_table,
      obj_description(k.oid, 'pg_constraint') as comment,
      exists (select from pg_constraint other where other.conrelid = k.conrelid and other.contype in ('u', 'p')
        and other.conkey <@ k.conkey) as single,
      array(select attname::text from unnest(k.conkey) with ordinality p (n, o)
        join pg_attribute on attrelid = k.conrelid and attnum = p.n order by o) as columns,
      array(select attname::text from unnest(k.confkey) with ordinality p (n, o)
        join pg_attribute on attrelid = k.confrelid and attnum = p.n order by o) as targets
    from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace`)

const annotation = (comment: string | null, name: string): string | undefined =>
  new RegExp(`^@${name}\\b *(.*)$`, 'm').exec(comment ?? '')?.[1]

const typeOf = (raw: RawColumn): Type => {
  const single = (name: string): Type => ({
    kind: raw.labels.length > 0 ? 'enum' : (kinds[name] ?? 'other'),
    name,
    labels: raw.labels,
    element: undefined,
  })
  if (raw.element === null) return single(raw.type)
  return { kind: 'array', name: raw.type, labels: [], element: single(raw.element) }
}

const relationsOf = (table: string, keys: readonly RawKey[]): Map<string, Relation> => {
  const relations: Relation[] = keys.flatMap(key => {
    const found: Relation[] = []
    const pairs = key.columns.map((column, index) => [column, key.targets[index] ?? ''] as const)
    if (key.from_table === table) {
      const name = annotation(key.comment, 'object') ?? key.columns.join('_').replace(/_id$/, '')
      found.push({ kind: 'object', name, target: key.to_table, join: pairs })
    }
    if (key.to_table === table) {
      const name = annotation(key.comment, 'array') ?? key.from_table.replace(/^(up|ua|pc)_/, '')
      const join = pairs.map(([own, target]) => [target, own] as const)
      found.push({ kind: key.single ? 'object' : 'array', name, target: key.from_table, join })
    }
    return found
  })
  return new Map(relations.map(relation => [relation.name, relation]))
}

const tableOf = (name: string, raw: readonly RawColumn[], keys: readonly RawKey[]): Table => {
  const comment = raw[0]?.table_comment ?? null
  const primary = raw.filter(column => column.key_position !== null)
  const declared = (annotation(comment, 'key') ?? '').split(/[\s,]+/).filter(word => word !== '')
  const shown = raw.filter(column => annotation(column.comment, 'hidden') === undefined)
  return {
    name,
    columns: new Map(shown.map(column => [column.name, { name: column.name, type: typeOf(column) }])),
    relations: relationsOf(name, keys),
    key:
      primary.length > 0
        ? primary.sort((a, b) => Number(a.key_position) - Number(b.key_position)).map(column => column.name)
        : declared,
    softDelete: annotation(comment, 'soft_delete'),
    personal: annotation(comment, 'personal') !== undefined,
  }
}

export const readStructure = async (database: Queryable): Promise<Structure> => {
  const columns = Map.groupBy(await readColumns(database), column => column.table_name)
  const exposed = new Set(columns.keys())
  const keys = (await readKeys(database)).filter(key => exposed.has(key.from_table) && exposed.has(key.to_table))
  return new Map([...columns].map(([name, raw]) => [name, tableOf(name, raw, keys)]))
}
