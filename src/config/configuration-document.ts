// The table of settings → docs/configuration.md.
import { allSettings } from './settings.ts'

const head = `# Configuration

Minaret is configured by environment variables only. It reads them once, at start-up. If any is invalid, it does not start, and
lists every fault at once, each with its fix. This page is generated from the table that the program reads (\`npm run docs\`).

| variable | default | meaning |
|---|---|---|
`

const secrets = allSettings.filter(({ secret }) => secret === true).map(({ name }) => `\`${name}_FILE\``)

const foot = `
## Secrets from files

Settings with a secret in them can be read from a file instead, as container platforms and systemd provide them: ${secrets.join(', ')}
name its path. A line break at its end is ignored. Setting both a variable and its file is a fault, and so is a file that cannot be
read. Files are read at start-up: restart the processes after changing one. Only user and password of \`DATABASE_URL_FILE\` and \`DATABASE_LISTEN_URL_FILE\` are
read again while the service runs, when the server refuses those it has: see [the database's password](operations.md#changing-the-password-of-the-database).

## Development and production

\`NODE_ENV=production\` is production: \`BASE_URL\` must be https, \`DATABASE_URL\` and \`MINARET_SECRET\` must be set, there is no
demo data, cookies are secure, and redirect URIs must be https. Anything else is development: an embedded PostgreSQL under
\`DATA_DIR\` unless \`DATABASE_URL\` is set, demo data on the first start into empty data tables, loopback redirect URIs
allowed, and mail shown on a page instead of sent.
`

export const configurationDocument = (): string =>
  head +
  allSettings
    .map(({ name, shown, meaning }) => `| \`${name}\` | ${shown.replaceAll('|', '\\|')} | ${meaning} |\n`)
    .join('') +
  foot
