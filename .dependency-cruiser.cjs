// Imports only go downward in this list, and never in a circle.
const layers = ['base', 'threads', 'platform', 'tracing', 'metrics', 'outbound', 'db', 'catalog', 'access', 'audit', 'changes', 'events', 'prayer', 'timetables', 'feeds', 'fixtures', 'images', 'accounts', 'apps', 'graphql', 'webhooks', 'own-data', 'oauth', 'sandbox', 'http', 'api', 'mcp', 'site', 'demo']

module.exports = {
  forbidden: [
    { name: 'no-sql-in-routes', severity: 'error', comment: 'Routes and pages call rules; the rules hold the SQL.', from: { path: '^src/(site|api|http)/' }, to: { path: '^src/db/sql\\.ts' } },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'base-imports-nothing-of-ours', severity: 'error', from: { path: '^src/base/' }, to: { path: '^src/(?!base/)' } },
    ...layers.slice(0, -1).map((layer, index) => ({
      name: `${layer}-imports-downward`,
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: `^src/(${layers.slice(index + 1).join('|')}|service|commands)/|^src/main\\.ts` },
    })),
  ],
  options: { parser: 'swc', tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, exclude: { path: '\\.test\\.ts$' }, enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] } },
}
