// A raw table → its rules of erasure: whose rows they are, and what becomes of each column.
import { readComment, wordsOf } from '../catalog/annotations.ts'
import { type EraseRule, readEraseRule, readSubjects, type SubjectKind } from './erase-rule.ts'
import type { RawOwnColumn, RawOwnTable } from './raw-tables.ts'

export interface OwnColumn {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  /** By what it says whose row it is; empty if it does not. */
  readonly subjects: readonly SubjectKind[]
  /** Its own rule or that of the table. */
  readonly rule: EraseRule | undefined
  /** Whether the rule is its own. */
  readonly isRuled: boolean
  /** It holds the identifier of an account or a member. */
  readonly points: boolean
  /** The value belongs to the person in this column, not to whom the row is about. */
  readonly whose: string | undefined
  /** `@export none`: the person's download leaves it out. */
  readonly isUnexported: boolean
}

export interface OwnTable {
  readonly schema: string
  readonly name: string
  readonly key: readonly string[]
  readonly references: readonly string[]
  readonly rule: EraseRule | undefined
  readonly columns: readonly OwnColumn[]
  /** Annotations that cannot be read. */
  readonly unreadable: readonly string[]
}

export const fullName = ({ schema, name }: Pick<OwnTable, 'schema' | 'name'>): string => `${schema}.${name}`

/** Whose account did something, where no foreign key can say so because accounts are in another schema. */
const pointsByName = /^(user|actor|owner|member)_id$|_by$/

const isAccountByName = ({ name, type }: RawOwnColumn, { foreign }: RawOwnTable): boolean =>
  type === 'uuid' && pointsByName.test(name) && !foreign.includes(name)

const ruleIn = (comment: string | null): EraseRule | undefined =>
  readEraseRule(readComment(comment).annotations.get('erase') ?? '')

const isUnreadable = (comment: string | null): boolean =>
  readComment(comment).annotations.has('erase') && ruleIn(comment) === undefined

/** Whether its comments say anything; otherwise a foreign key with `on delete cascade` does. */
const isDeclared = ({ comment, columns }: RawOwnTable): boolean =>
  [comment, ...columns.map(column => column.comment)].some(text => {
    const { annotations } = readComment(text)
    return annotations.has('erase') || annotations.has('subject')
  })

interface Declared {
  readonly rule: EraseRule | undefined
  readonly subjects: ReadonlyMap<string, readonly SubjectKind[]>
}

const declaredIn = (raw: RawOwnTable): Declared =>
  raw.cascading.length > 0 && !isDeclared(raw)
    ? {
        rule: { action: 'delete', reason: undefined },
        subjects: new Map(raw.cascading.map(({ name, to }) => [name, [to]])),
      }
    : {
        rule: ruleIn(raw.comment),
        subjects: new Map(
          raw.columns.map(({ name, comment }) => [
            name,
            readSubjects(wordsOf(readComment(comment).annotations.get('subject'))),
          ]),
        ),
      }

const toColumn = (raw: RawOwnColumn, table: RawOwnTable, declared: Declared): OwnColumn => {
  const own = ruleIn(raw.comment)
  const { annotations } = readComment(raw.comment)
  return {
    name: raw.name,
    type: raw.type,
    notNull: raw.notNull,
    subjects: declared.subjects.get(raw.name) ?? [],
    rule: own ?? declared.rule,
    isRuled: own !== undefined,
    points: table.pointing.includes(raw.name) || isAccountByName(raw, table),
    whose: annotations.get('whose'),
    isUnexported: annotations.get('export')?.startsWith('none') === true,
  }
}

export const toOwnTable = (raw: RawOwnTable): OwnTable => {
  const declared = declaredIn(raw)
  return {
    schema: raw.schema,
    name: raw.name,
    key: raw.key,
    references: raw.references,
    rule: declared.rule,
    columns: raw.columns.map(column => toColumn(column, raw, declared)),
    unreadable: [
      ...(isUnreadable(raw.comment) ? [fullName(raw)] : []),
      ...raw.columns.filter(({ comment }) => isUnreadable(comment)).map(({ name }) => `${fullName(raw)}.${name}`),
    ],
  }
}

/** Whether rows of the table belong to people. */
export const hasSubjects = ({ columns }: OwnTable): boolean => columns.some(({ subjects }) => subjects.length > 0)
