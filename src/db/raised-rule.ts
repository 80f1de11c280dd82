// What a function of the database refused with → the name of its rule, and the values in its sentence.
import type pg from 'pg'

export interface RaisedRule {
  readonly constraint: string
  /** By their places in the sentence. */
  readonly values?: Readonly<Record<string, string>>
}

/** What a function raises itself, it has written for people. */
export const isRaised = ({ routine }: pg.DatabaseError): boolean => routine === 'exec_stmt_raise'

const parsed = (detail: string): unknown => {
  try {
    return JSON.parse(detail)
  } catch {
    return undefined
  }
}

/** Never more than the sentence says already: somebody's own trigger may keep anything in `detail`. */
const valuesIn = ({ detail = '', message }: pg.DatabaseError): Record<string, string> => {
  const values = parsed(detail)
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return {}
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [],
  )
  return Object.fromEntries(texts.filter(([, text]) => message.includes(text)))
}

/** Undefined if it names none, or PostgreSQL itself reported the error. */
export const raisedRule = (error: Error): RaisedRule | undefined => {
  const raised = error as pg.DatabaseError
  const { constraint } = raised
  if (constraint === undefined || !isRaised(raised)) return undefined
  const values = valuesIn(raised)
  return Object.keys(values).length === 0 ? { constraint } : { constraint, values }
}
