// Model → docs/api.md: how to ask, what there is, and the limits, all from what the engine itself uses.
import type { Model } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { operatorTables } from './operator-tables.ts'
import { functionSections, scopeTable, tableSections } from './table-sections.ts'

const head = `# The GraphQL API

Made from the schema of the database and the code (\`npm run docs\`); a running service shows its own at \`/docs\` and to
introspection. Names and answers follow Hasura v2.

## Asking

\`POST {base_url}/v1/graphql\` with \`Content-Type: application/json\`, \`Authorization: Bearer <API key or access token>\` and a
body of \`{"query", "variables", "operationName"}\`. \`GET\` with the same as parameters works for queries; answers that do not
depend on who asks then carry \`ETag\` and \`Cache-Control\`. Accept \`application/graphql-response+json\` for meaningful statuses
(400, 403); with \`application/json\` a request that could be read is answered with 200. An array of up to ${limits.batch} bodies is a
batch; one that is longer, or costs too much, gets one error for each of them. \`extensions.persistedQuery.sha256Hash\` names a query sent before (Apollo's automatic persisted queries).

| header | does |
|---|---|
| \`X-Minaret-Explain: 1\` | \`extensions.cost\`: the rows that the limits allow; in development also \`extensions.sql\` |
| \`Deprecation\`, \`Sunset\` in the answer | a deprecated column was used; when it was deprecated, and when it may go |
| \`X-Request-Id\` in the answer | the id under which the log has the request |
`

const lists = `
## Lists

Every table is a root field: \`up_masjids(where, order_by, limit, offset, distinct_on, after)\`. Without \`limit\` a list returns at
most ${limits.page} rows; a \`limit\` over ${limits.page} or below 0 is an error. The same holds for lists within rows.

- \`where: {}\` is no filter; \`_and: []\` is true, \`_or: []\` is false; \`_in: []\` matches nothing. Null where a value is compared is an
  error (use \`_is_null\`); a variable that is not given counts as if its field had not been written.
- Related rows: \`where: {events: {title: {_ilike: "%quran%"}}}\` is true for masjids with at least one such event.
- Totals over related rows: \`where: {events_aggregate: {count: {predicate: {_gt: 3}, filter: {…}}}}\`; also \`min\`, \`max\`, \`sum\` and
  \`avg\` with a predicate per column, and \`bool_and\` and \`bool_or\` with a column as \`arguments\`: \`{events_aggregate: {max: {predicate: {capacity: {_gte: 100}}}}}\`.
- \`order_by: [{city: asc}, {entity: {legal_name: desc}}, {events_aggregate: {count: desc}}]\`; directions \`asc\`, \`desc\` and each with
  \`_nulls_first\`, \`_nulls_last\`. Plain \`asc\` puts nulls last, plain \`desc\` first. A null is as if it had not been written.
- \`distinct_on: [city]\` keeps the first row of each city; its columns must come first in \`order_by\`.
- Pages that never skip or repeat a row: ask for \`_cursor\`, and pass the last one as \`after\`, with the same \`order_by\`. Ties are
  broken by the primary key.

\`\`\`graphql
query ($after: String) {
  up_masjids(order_by: {name: asc}, limit: 25, after: $after) { id name _cursor }
}
\`\`\`

## One row

\`up_masjids_by_pk(id: …)\`, and \`…_by_<columns>\` for every unique key: \`up_masjids_by_slug(slug: "…")\`. No such row: \`null\`.

## Totals and groups

\`\`\`graphql
{
  up_events_aggregate(where: {status: {_eq: scheduled}}, group_by: [category]) {
    aggregate { count sum { capacity } }
    groups(order_by: {count: desc}, limit: 10) { keys { category } aggregate { count avg { capacity } } }
    nodes { title }
  }
}
\`\`\`

\`aggregate\` has \`count(columns, distinct)\`, \`sum\`, \`avg\`, \`min\`, \`max\`, \`stddev\`, \`stddev_pop\`, \`stddev_samp\`, \`variance\`, \`var_pop\`,
\`var_samp\`. \`count(columns: […])\` counts rows where none of the columns is null. \`group_by\` names the columns that \`groups\` are
made by; groups are sorted by their keys unless told.

On tables with people in them no total covers fewer than ${limits.people} people: \`aggregate\` is then null and the group is left out, and
\`extensions.notes\` says so. Many gifts of one person are one person. A user's own rows are totalled whatever their number. An app
gets totals of masjids that are not its own in groups that the table fixes (the \`@groups\` below: masjid; for gifts also fund and
currency; for RSVPs the occurrence): only these columns may stand in \`where\` and \`group_by\`, groups of fewer than ${limits.people} people are
left out, and there is no \`min\`, \`max\`, \`limit\` or \`distinct_on\`. [security.md](security.md#totals-over-people) says why.

## Values

\`bigint\` and \`numeric\` are JSON numbers with all their digits; read them with a parser that keeps them. Both can be given as
strings. Moments are ISO 8601 with \`T\`; dates, times, intervals, ranges and UUIDs are strings; arrays are lists; JSON is JSON, of
which \`path: "$.a[0]"\` takes a part (also \`a['b c'][0]\` and \`a.["b c"]\`); \`{_cast: {String: {_ilike: "…"}}}\` compares it as text. A
column declared as a matrix (\`int[][]\`) is a list of lists. PostgreSQL's enums are GraphQL's.
`

const limitTable = `
## Limits

All hold before any work is done; each refusal says the figure, the maximum and what to lower.

| limit | at most |
|---|---|
| bytes of a body | ${limits.bodyBytes} |
| bytes of an answer | ${limits.answerBytes} |
| words and signs of a document | ${limits.tokens} |
| fields within fields | ${limits.depth} |
| objects and lists within an argument | ${limits.valueDepth} |
| fields, fragments opened | ${limits.fields} |
| aliases | ${limits.aliases} |
| fields at the root | ${limits.rootFields} |
| conditions in filters, of these over relationships | ${limits.conditions}, ${limits.relatedConditions} |
| relationships within relationships in a filter | ${limits.relatedDepth} |
| keys to sort by | ${limits.sortKeys} |
| rows in a list (\`limit\`) | ${limits.page} |
| cost: rows that the limits allow, multiplied down the tree, ${limits.totalCost} for each total; a batch as a whole. Where that is too much, the rows that the database's statistics expect, except in tables with people; the refusal tells the cost by part | ${limits.cost} |
| \`offset\` | no bound; ${limits.skippedRows} skipped rows cost as much as one read, up to ${limits.offsetCost} for each list |
| values in a list to compare with (\`_in\`, \`_nin\`, \`_has_keys_any\`, …) | ${limits.values} |
| characters of a pattern (\`_like\`, \`_regex\`, …), and of a function's argument that it searches for | ${limits.searchCharacters} |
| operations in a batch | ${limits.batch} |

A statement that takes longer than \`STATEMENT_TIMEOUT_MS\` is ended (\`timeout\`), and so is one whose client has gone away. Every
code is in [errors.md](errors.md).
`

const annotations = `
## The schema follows the database

A table, column, key, comment, enum or function changed by plain SQL shows within a second. What is shown is decided by names and by
the first lines of comments:

| on | annotation | means |
|---|---|---|
| table | \`@scope a b\` | the scopes it asks for, all of them; without it, those of its prefix |
| table, column, function | \`@hidden\` | not shown; the reading role may not select it; no relationship leads over a hidden column |
| table, column, function | \`@name x\` | its name in GraphQL, where its own is none |
| table | \`@soft_delete deleted_at\` | rows where the column is not null are left out everywhere |
| table | \`@personal member_id email\` | rows about people; the first column that is not null tells who; reads are recorded |
| table | \`@user_rows column function, …\`, \`@own_rows column function, …\`, \`@full_rows column list all\` | which rows a user sees, which are the user's own, and which the reader sees in full |
| table | \`@groups masjid_id, fund\` | for all other rows about people: the groups that totals are made of |
| column | \`@exact relation key value\` | whoever finds a row in that relation, which is under row-level security, sees its value instead |
| table | \`@totals_by masjid_id, date\` | totals must be filtered by one of these columns, or by a related row: all rows would take too long |
| view | \`@key a, b\` | its primary key: columns that are shown, and whose values can be compared |
| view | \`@foreign_key (masjid_id) references up_masjids (id) object masjid array times\` | a relationship, for as many lines as there are; \`object\` and \`array\` name its two sides, and may be left out |
| foreign key | \`@object masjid\`, \`@array events\` | the names of its two relationships; without them the older of two keys has the name that both want |
| column | \`@deprecated 2026-11-01 Use x.\` | shows as deprecated; stays for at least six months |
| function | \`@computed distance_km\` | a field of the rows it takes; also shown when it is called after its table: \`up_masjids_…\` |

A table without one of the prefixes \`up_\`, \`ua_\`, \`pc_\`, or whose name is no GraphQL name, is left out, with a line in the log.
A function is shown when it is STABLE or IMMUTABLE and returns rows of a shown table, or one row. A function whose first argument is
a row is a field of that row: a value, or (\`returns setof up_events\`) a list with the arguments of lists. A value that takes arguments is
filtered by with \`{distance_km: {args: {…}, predicate: {_lt: 5}}}\` and sorted by with \`{distance_km: {args: {…}, direction: asc}}\`.
Arguments without a name are \`arg_1\`, \`arg_2\`, …; VARIADIC ones are lists; composite ones are objects.
`

export const apiDocument = (model: Model): string =>
  [
    head,
    scopeTable(model),
    lists,
    operatorTables(model),
    limitTable,
    annotations,
    functionSections(model),
    tableSections(model),
  ].join('')
