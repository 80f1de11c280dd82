// Test files that share one service, and so one database: starting a service takes longer than most files do. Every group
// runs in this order in one process. A file may be in one only if it creates whatever it counts, and takes nothing for
// granted that others could have changed.

import { isLong, longestFirst } from './order.ts'

const inFolder = (folder: string, ...names: readonly string[]): readonly string[] =>
  names.map(name => `test/${folder}/${name}.test.ts`)

const groups: readonly (readonly string[])[] = [
  inFolder('accounts', 'account', 'second-factor', 'sign-in', 'sign-up', 'withdraw'),
  inFolder(
    'oauth',
    'authorization-code',
    'authorize',
    'client-credentials',
    'conformance-basic',
    'consent',
    'discovery',
    'fuzz',
    'logout',
    'looks',
    'one-token',
    'pushed-requests',
    'real-clients',
    'refresh-token',
    'revoke',
    'single-page-app',
    'userinfo',
  ),
  inFolder(
    'attacks',
    'person/claims',
    'person/consent-claims',
    'person/every-staff-page',
    'person/hostile-sheets',
    'person/invitations',
    'person/staff-forms',
    'person/strangers',
  ),
  inFolder(
    'attacks',
    'anonymous/forgery',
    'anonymous/shared-caches',
    'anonymous/two-hosts',
    'anonymous/words-in-mail',
    'app/dropped-scope',
    'app/redirect-uri',
    'developer/disabled-owner',
    'developer/hostile-addresses',
    'developer/logo-pages',
    'developer/own-masjids',
    'developer/suspend-first',
    'reviewer/own-app',
    'reviewer/withheld-claims',
  ),
  inFolder('console', 'administration', 'code-samples', 'credentials', 'data-changes', 'sandbox-key', 'write-scopes'),
  inFolder('staff', 'announcements', 'changes', 'details', 'events', 'giving', 'people/people', 'requests', 'team'),
  inFolder('staff', 'announcements-looks', 'events-looks', 'giving-looks', 'masjid-looks', 'people/people-looks'),
  inFolder(
    'graphql',
    'http',
    'relay/compiler',
    'relay/connections',
    'sql-in-strings',
    'bad-input-values',
    'variables',
    'bad-input-injection',
    'headers-and-numbers',
  ),
  inFolder('graphql', 'corners', 'keys-and-functions', 'lists', 'order', 'promises', 'scopes', 'totals', 'where'),
  inFolder('graphql', 'api-document', 'golden', 'introspection-slices', 'only-adds'),
  inFolder(
    'graphql/write',
    'hasura-delete',
    'hasura-insert',
    'hasura-update',
    'hasura-upsert',
    'insert',
    'nested',
    'once',
    'rules',
    'update',
  ),
  ['test/observability/metrics.test.ts', 'test/attacks/anonymous/metrics.test.ts'],
  inFolder('sandbox', 'believable', 'endpoint', 'known-answers', 'schema-file'),
]

/** A file without a group is one by itself. Long files and large groups come first. */
export const grouped = (files: readonly string[]): readonly (readonly string[])[] => {
  const left = new Set(files)
  const together = groups.map(group => group.filter(file => left.delete(file))).filter(group => group.length > 0)
  const alone = longestFirst([...left])
  return [
    ...alone.filter(isLong).map(file => [file]),
    ...together.toSorted((a, b) => b.length - a.length),
    ...alone.filter(file => !isLong(file)).map(file => [file]),
  ]
}
