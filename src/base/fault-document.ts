// The catalogue of faults → docs/errors.md.
import { faultCatalogue } from './fault-catalogue.ts'

const titles: Readonly<Record<keyof typeof faultCatalogue, string>> = {
  frame: 'Any address',
  access: 'Bearer credentials',
  accounts: 'Accounts',
  apps: 'Apps, review, secrets and keys',
  oauth: 'OAuth 2.0 and OpenID Connect',
  graphql: 'GraphQL',
  feeds: 'Feeds and sandbox',
}

const head = `# Errors

Every code that Minaret answers with, made from the catalogue in the code (\`npm run docs\`); the compiler refuses any other.

- OAuth and plain addresses: \`{"error": CODE, "error_description": TEXT}\` (RFC 6749, section 5.2).
- GraphQL: \`{"errors": [{"message", "locations", "path", "extensions": {"code": CODE}}]}\`.
- Pages for people show the same in words.
- A fault of ours says an id and nothing else; the log has the rest under that id. Every answer carries \`X-Request-Id\`.
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
