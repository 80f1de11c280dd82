// The functions of the live database → what they raise, and the rules that they refuse by name.
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export interface Raising {
  /** With its schema, unless it is that of the data. */
  readonly name: string
  /** Its `raise exception` statements. */
  readonly raises: readonly string[]
  readonly rules: readonly RaisedSentence[]
}

interface RaisedSentence {
  readonly rule: string
  /** With {names} for what differs. */
  readonly sentence: string
}

const TEXT = `'(?:[^']|'')*'`
/** PostgreSQL joins literals that stand on lines of their own. */
const TEXTS = String.raw`${TEXT}(?:\s*\n\s*${TEXT})*`
const raiseStatement = new RegExp(`raise (?:exception|using)(?:${TEXT}|[^';])*;`, 'g')
const refuseCall = new RegExp(String.raw`\brefuse\((${TEXT}),\s*(${TEXTS})`, 'g')
const namedRaise = new RegExp(`raise exception (${TEXT})[^;]*?constraint = (${TEXT})`, 'g')

const unquote = (literals: string): string =>
  [...literals.matchAll(new RegExp(TEXT, 'g'))].map(([text]) => text.slice(1, -1).replaceAll("''", "'")).join('')

const rulesIn = (source: string): RaisedSentence[] => [
  ...[...source.matchAll(refuseCall)].map(([, rule = '', text = '']) => ({
    rule: unquote(rule),
    sentence: unquote(text),
  })),
  ...[...source.matchAll(namedRaise)].map(([, text = '', rule = '']) => ({
    rule: unquote(rule),
    sentence: unquote(text),
  })),
]

export const raisingFunctions = async (database: Database): Promise<Raising[]> => {
  const functions = await database.query<{ name: string; source: string }>(sql`
    select case when nspname = 'public' then '' else nspname || '.' end || proname as name, prosrc as source
    from pg_proc join pg_namespace home on home.oid = pronamespace
    where nspname in ('public', 'minaret', 'changes') and prosrc ~ 'raise (exception|using)|refuse\\(' order by 1`)
  return functions.map(({ name, source }) => ({
    name,
    raises: [...source.matchAll(raiseStatement)].map(([text]) => text),
    rules: rulesIn(source),
  }))
}
