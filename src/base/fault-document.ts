// The catalogue of faults → docs/errors.md.
import { faultCatalogue } from './fault-catalogue.ts'

const titles: Readonly<Record<keyof typeof faultCatalogue, string>> = {
  frame: 'Any endpoint',
  access: 'Bearer credentials',
  accounts: 'Accounts',
  apps: 'Apps, review, secrets and keys',
  oauth: 'OAuth 2.0 and OpenID Connect',
  graphql: 'GraphQL',
  feeds: 'Feeds and sandbox',
}

const head = `# Errors

Every error code of Minaret, generated from the catalogue in the code (\`npm run docs\`); the compiler rejects any other.

- OAuth and other endpoints: \`{"error": CODE, "error_description": TEXT}\` (RFC 6749, section 5.2).
- GraphQL: \`{"errors": [{"message", "locations", "path", "extensions": {"code": CODE}}]}\`.
- Pages show the same in words.
- An internal error shows only an id, under which the log has the details. Every response has an \`X-Request-Id\` header.
`

const section = (title: string, entries: Readonly<Record<string, { readonly meaning: string }>>): string =>
  `\n## ${title}\n\n| code | meaning |\n|---|---|\n${Object.entries(entries)
    .map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |\n`)
    .join('')}`

export const faultDocument = (): string =>
  head +
  Object.entries(titles)
    .map(([area, title]) => ({ title, entries: faultCatalogue[area as keyof typeof faultCatalogue] }))
    .filter(({ entries }) => Object.keys(entries).length > 0)
    .map(({ title, entries }) => section(title, entries))
    .join('')
