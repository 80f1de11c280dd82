// Raw catalogue → which logged tables everything that can be read is made of. What follows the clock, depends on the reader or changes
// without leaving a row in the change log has no sources.
import { readComment, wordsOf } from './annotations.ts'
import type { MasjidRows, Sources } from './model.ts'
import type { RawCalled, RawCatalog, RawFunction, RawMade, RawRelation } from './raw-catalog.ts'
import { timelessFunctions } from './timeless-functions.ts'

/** Qualified names, as in the change log; undefined if not all are known. */
type Found = readonly string[] | undefined

interface Known {
  readonly schema: string
  readonly byOid: ReadonlyMap<number, RawRelation>
  readonly byName: ReadonlyMap<string, RawRelation>
}

const all = (parts: readonly Found[]): Found =>
  parts.every(part => part !== undefined) ? [...new Set(parts.flat())].sort() : undefined

const isShownAlike = ({ rowSecurity, comment, columns }: RawRelation): boolean =>
  !rowSecurity &&
  !readComment(comment).annotations.has('personal') &&
  !columns.some(column => readComment(column.comment).annotations.has('exact'))

/** `@made_of up_events`: each transaction that changes these tables changes the rows made of them too. */
const sourcesOf = (known: Known, raw: RawRelation | undefined): Found => {
  if (raw === undefined || !isShownAlike(raw)) return undefined
  if (raw.made !== null) return sourcesOfView(known, raw.made)
  const madeOf = named(known, readComment(raw.comment).annotations.get('made_of'))
  if (madeOf !== undefined) return madeOf
  return raw.logged ? [`${known.schema}.${raw.name}`] : undefined
}

const sourcesOfView = (known: Known, { relations, functions, timely }: RawMade): Found =>
  timely
    ? undefined
    : all([
        ...relations.map(oid => sourcesOf(known, known.byOid.get(oid))),
        ...functions.map(called => sourcesOfCall(known, called)),
      ])

const named = (known: Known, said: string | undefined): Found =>
  said === undefined ? undefined : all(wordsOf(said).map(name => sourcesOf(known, known.byName.get(name))))

/** `@reads up_masjids, up_events`: what it returns depends on its arguments and these tables, and on nothing else. */
const declared = (known: Known, comment: string | null): Found =>
  named(known, readComment(comment).annotations.get('reads'))

const sourcesOfCall = (known: Known, { name, system, immutable, comment }: RawCalled): Found => {
  if (name === null) return undefined
  if (immutable === true || (system === true && timelessFunctions.has(name))) return []
  return declared(known, comment)
}

/** With its owner's rights, it may return something else to each reader. */
const sourcesOfFunction = (known: Known, { immutable, constantDefaults, definer, comment }: RawFunction): Found => {
  if (definer || !constantDefaults) return undefined
  return immutable ? [] : declared(known, comment)
}

const UUID = 2950

/** As `changes.masjid_column_of` has it. */
const masjidOfTable = ({ schema }: Known, { name, columns, logged }: RawRelation): MasjidRows | undefined => {
  const column = name === 'up_masjids' ? 'id' : 'masjid_id'
  const isThere = columns.some(one => one.name === column && one.type === UUID)
  return logged && isThere ? { column, tables: [`${schema}.${name}`] } : undefined
}

/** `@of_masjid masjid_id up_events, up_rooms`: of these tables, a row of the view needs only rows of the masjid that its column names. */
const masjidOfView = ({ schema }: Known, { comment }: RawRelation): MasjidRows | undefined => {
  const [column, ...tables] = wordsOf(readComment(comment).annotations.get('of_masjid'))
  return column === undefined ? undefined : { column, tables: tables.map(table => `${schema}.${table}`) }
}

const masjidRows = (known: Known, raw: RawRelation): readonly (readonly [string, MasjidRows])[] => {
  const rows = raw.made === null ? masjidOfTable(known, raw) : masjidOfView(known, raw)
  return rows === undefined ? [] : [[raw.name, rows]]
}

const present = (entries: readonly (readonly [string, Found])[]): ReadonlyMap<string, readonly string[]> =>
  new Map(entries.flatMap(([name, found]) => (found === undefined ? [] : [[name, found] as const])))

export const buildSources = ({ relations, functions }: RawCatalog, schema: string): Sources => {
  const byOid = new Map(relations.map(raw => [raw.oid, raw]))
  const byName = new Map(relations.map(raw => [raw.name, raw]))
  const known: Known = { schema, byOid, byName }
  return {
    relations: present(relations.map(raw => [raw.name, sourcesOf(known, raw)])),
    functions: present(functions.map(raw => [raw.name, sourcesOfFunction(known, raw)])),
    byMasjid: new Map(relations.flatMap(raw => masjidRows(known, raw))),
  }
}

/** Annotations that name nothing, worded for the log. */
export const unknownReads = ({ relations, functions }: RawCatalog): readonly string[] => {
  const names = new Set(relations.map(({ name }) => name))
  return functions.flatMap(({ name, comment }) => {
    const unknown = wordsOf(readComment(comment).annotations.get('reads')).filter(one => !names.has(one))
    return unknown.map(one => `the annotation @reads of function ${JSON.stringify(name)}: there is no table ${one}`)
  })
}
