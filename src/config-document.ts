// The table of settings → docs/configuration.md.
import { declarations } from './config-declarations.ts'

const head = `# Configuration

Minaret is configured by environment variables alone. It reads them once, at the start; a fault in them stops the start,
and every fault is listed at once, each with its fix. This page is made from the same table that the program reads
(\`npm run docs\`).

| variable | default | meaning |
|---|---|---|
`

const foot = `
## Development and production

\`NODE_ENV=production\` is production: \`BASE_URL\` must be https, \`DATABASE_URL\` and \`MINARET_SECRET\` must be set, there are no
demo data, cookies are secure, and redirect URIs must be https. Anything else is development: an embedded PostgreSQL under
\`DATA_DIR\` unless \`DATABASE_URL\` is set, demo data on the first start into empty data tables, redirect URIs on loopback
allowed, and mail on a page instead of in a mailbox.
`

export const configurationDocument = (): string =>
  head +
  declarations
    .map(({ name, shown, meaning }) => `| \`${name}\` | ${shown.replaceAll('|', '\\|')} | ${meaning} |\n`)
    .join('') +
  foot
