// Migration files → an error for each that was edited after its release, and for each new one that takes away what an earlier
// version still uses. Two versions run side by side during an upgrade: a release adds first, and a later one, when nothing of the
// earlier runs any more, takes away, in a migration that says so in a line of its own: `-- contract: why nothing uses it any more`.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../migrations/', import.meta.url))
const RELEASED = `${folder}released.json`

const taking: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(table|view|materialized\s+view|schema|type|domain|sequence)\b/i, 'drops a table, view, schema or type'],
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\brename\s+(to|column|constraint|value|attribute)\b/i, 'renames something'],
  [/\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i, 'changes the type of a column'],
]

const isMarked = (text: string): boolean => /^-- contract: \S.{10,}/m.test(text)

const withoutComments = (text: string): string => text.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '')

/** Dropped and created again, with other parameters or another result, is no loss for those who call it as before. */
const lostFunctions = (text: string): string[] =>
  [...text.matchAll(/\bdrop\s+function\s+(?:if\s+exists\s+)?([\w.]+)/gi)]
    .map(found => String(found[1]))
    .filter(name => !new RegExp(`create\\s+(or\\s+replace\\s+)?function\\s+${name}\\b`, 'i').test(text))

/** What a migration takes away, in words; empty if nothing, or if it is marked. */
export const takenAway = (text: string): string[] => {
  if (isMarked(text)) return []
  const bare = withoutComments(text)
  return [
    ...taking.filter(([pattern]) => pattern.test(bare)).map(([, words]) => words),
    ...lostFunctions(bare).map(name => `drops the function ${name}`),
  ]
}

/** What PostgreSQL refuses while a function with a body of its own uses the type of the table's rows, since its minor versions of 2026. */
const rewriting =
  /\badd\s+(column\s+)?(if\s+not\s+exists\s+)?(?!constraint\b)"?\w+"?\s[^,;]*?\b(default\s+(?!null\b)|generated\s+always\s+as\s*\(|(small|big)?serial\b)/i

/** Tables of the data, from the migration on that made `add_filled_column`. */
const FILLED_SINCE = 'data/0451'
const isOfData = (name: string): boolean => name.startsWith('data/') && name > FILLED_SINCE

/** Tables that a migration adds columns with a value to, although functions may use their rows; anybody may add such functions. */
export const filledColumns = (text: string): string[] => {
  const bare = withoutComments(text)
  const made = new Set(
    [...bare.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?([\w.]+)/gi)].map(found => found[1]),
  )
  return [...bare.matchAll(/\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.]+)([^;]*)/gi)]
    .filter(([, table, actions = '']) => !made.has(table) && rewriting.test(actions))
    .map(([, table]) => String(table))
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

export interface Migration {
  readonly name: string
  readonly text: string
}

const readAll = (): Migration[] =>
  ['identity', 'data'].flatMap(part =>
    readdirSync(`${folder}${part}`)
      .sort()
      .map(file => ({ name: `${part}/${file}`, text: readFileSync(`${folder}${part}/${file}`, 'utf8') })),
  )

/** @param released digests by name: what some database has already run. */
export const complaintsAbout = (
  migrations: readonly Migration[],
  released: Readonly<Record<string, string>>,
): string[] => [
  ...Object.keys(released)
    .filter(name => !migrations.some(migration => migration.name === name))
    .map(name => `${name} was released, and is gone. Restore it.`),
  ...migrations.flatMap(({ name, text }) => {
    if (released[name] !== undefined)
      return released[name] === digestOf(text)
        ? []
        : [`${name} was released, and has changed since. Restore it, and write a new migration.`]
    return [
      ...takenAway(text).map(
        words => `${name} ${words}. Keep it for the version that still runs, or say why not: -- contract: …`,
      ),
      ...(isOfData(name) ? filledColumns(text) : []).map(
        table =>
          `${name} adds a column with a value to ${table}, whose rows a function may take. Use add_filled_column.`,
      ),
    ]
  }),
]

/** `--release` writes down what is there now, for each release. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const migrations = readAll()
  if (process.argv.includes('--release')) {
    const digests = Object.fromEntries(migrations.map(({ name, text }) => [name, digestOf(text)]))
    writeFileSync(RELEASED, `${JSON.stringify(digests, undefined, 2)}\n`)
  }
  const complaints = complaintsAbout(migrations, JSON.parse(readFileSync(RELEASED, 'utf8')))
  for (const text of complaints) console.error(`migrations/${text}`)
  process.exit(complaints.length === 0 ? 0 : 1)
}
