// Names of migration files → an error for each number that two files of a folder share, as two branches that each add
// "the next" migration would. Their order would depend on the rest of the name.
import { readdirSync } from 'node:fs'

/** Applied under these names before there was a check; renaming them would apply them again. */
const applied = new Set(['0017_app_revisions.sql', '0017_app_secret_news.sql'])

export const sharedNumbers = (names: readonly string[]): readonly string[] => {
  const byNumber = Map.groupBy(names, name => /^\d+/.exec(name)?.[0] ?? '')
  return [...byNumber]
    .filter(([, group]) => group.length > 1 && !group.every(name => applied.has(name)))
    .map(([number, group]) => `${number}: ${group.sort().join(', ')}`)
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const complaints = ['identity', 'data'].flatMap(folder =>
    sharedNumbers(readdirSync(new URL(`../migrations/${folder}`, import.meta.url))).map(
      text => `migrations/${folder}/${text}`,
    ),
  )
  for (const text of complaints)
    console.error(`Two migrations share a number: ${text}. Give the newer one the next number.`)
  process.exit(complaints.length === 0 ? 0 : 1)
}
