// A step of a mutation: one statement, whose text depends on neither values nor the number of objects; and where it belongs.
import { GraphQLError } from 'graphql'
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier, quoteLiteral } from '../../db/sql.ts'
import { statementName } from '../compile/compile-plan.ts'
import { type Audience, createWriter, type Slot, type Writer } from '../compile/writer.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import type { ErrorPath } from './write-plan.ts'

export interface Step {
  readonly text: string
  /** The same for the same text: its name as a prepared statement. */
  readonly name: string
  readonly slots: readonly Slot[]
  /** Where its errors are reported. */
  readonly path: ErrorPath
  /** What it writes to. */
  readonly table: Table
  /** The number of its write. */
  readonly number: number
}

/** What the steps of one write have in common. */
export interface Steps {
  readonly audience: Audience
  readonly number: number
  readonly all: Step[]
  /** Of the texts of all writes of the operation. */
  readonly length: { characters: number }
}

/** A condition in `on_conflict` stands in the statement of every object, so that a short document could become a very long text. */
const MOST_CHARACTERS = 4_000_000

const countText = ({ length }: Steps, text: string, path: ErrorPath): void => {
  length.characters += text.length
  if (length.characters > MOST_CHARACTERS)
    throw new GraphQLError(
      'The operation is too long in SQL. Write fewer objects at once, or shorten their conditions.',
      {
        path,
        extensions: { code: 'too-many-conditions' satisfies GraphqlErrorCode },
      },
    )
}

interface Place {
  readonly path: ErrorPath
  readonly table: Table
}

export const addStep = (steps: Steps, { path, table }: Place, write: (writer: Writer) => string): void => {
  const { audience, number, all } = steps
  const writer = createWriter(audience)
  const text = write(writer)
  countText(steps, text, path)
  all.push({ text, name: statementName(text), slots: writer.slots, path, table, number })
}

/** The codes with which our own functions and steps refuse; PostgreSQL has none of this class. */
export const refusals = {
  tooManyRows: 'MN001',
  version: 'MN002',
  notPermitted: 'MN003',
  idempotency: 'MN004',
  noParent: 'MN005',
  tooLong: 'MN006',
  dryRun: 'MN007',
} as const

/** An expression of type text that raises an error instead of having a value. */
export const raise = ({ schema }: Pick<Table, 'schema'>, code: string, message = ''): string =>
  `${quoteIdentifier(schema)}."refuse_writing"(${quoteLiteral(code)}, ${quoteLiteral(message)})`
