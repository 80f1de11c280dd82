// Test files in the order they are started: the longest first, so that no long one is left alone at the end of a run.

/** By how long they take alone; `npm run test:profile` shows it. Some of them mostly wait. */
const longest: readonly string[] = [
  'webhooks/receivers',
  'webhooks/deliver',
  'live/ending',
  'graphql/reader',
  'postgresql-15/oldest-version',
  'accounts/pages',
  'console/looks',
  'embedded/life',
  'embedded/killed',
  'graphql/write/kill',
  'embedded/folders',
  'commands/apps',
  'commands/beside-service',
  'faults/rolling-restart',
  'faults/silent-database',
  'faults/replicas',
  'faults/restore',
  'docs-site/guides',
  'docs-site/looks',
  'commands/capabilities',
  'commands/schema-check',
  'data-model/loading-fixtures',
  'docs-site/explorer',
  'staff/desktop-looks',
  'screens/power',
  'attacks/anonymous/password-queue',
  'attacks/person/email-takeover',
  'attacks/app/starvation',
  'attacks/anonymous/starvation',
].map(name => `test/${name}.test.ts`)

const rank = (file: string): number => {
  const index = longest.indexOf(file)
  return index === -1 ? longest.length : index
}

export const isLong = (file: string): boolean => longest.includes(file)

export const longestFirst = (files: readonly string[]): readonly string[] =>
  files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
