// Model → docs/api.md: how to send requests, what exists, and the limits, all from what the engine itself uses.
import type { Model } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { operatorTables } from './operator-tables.ts'
import { actionSections, functionSections, scopeTable, tableSections } from './table-sections.ts'

const head = `# The GraphQL API

Generated from the database schema and the code (\`npm run docs\`); a running service shows its own at \`/docs\` and by
introspection. Names and responses follow Hasura v2; [the differences](#where-it-differs-from-hasura-v2) are listed below.

## Requests

\`POST {base_url}/v1/graphql\` with \`Content-Type: application/json\`, \`Authorization: Bearer <API key or access token>\` and a
body of \`{"query", "variables", "operationName"}\`. \`GET\` with the same as parameters works for queries; responses that do not
depend on the user then have \`ETag\` and \`Cache-Control\`. Accept \`application/graphql-response+json\` for meaningful statuses
(400, 403); with \`application/json\` a well-formed request gets 200. An array of up to ${limits.batch} bodies is a
batch; one that is longer, or costs too much, gets one error per operation. \`extensions.persistedQuery.sha256Hash\` names a query sent before (Apollo's automatic persisted queries).

| header | effect |
|---|---|
| \`X-Minaret-Explain: 1\` | \`extensions.cost\`: the rows that the limits allow; \`extensions.cache\`: whether the answer came from memory; in development also \`extensions.sql\` |
| \`Deprecation\`, \`Sunset\` in the response | a deprecated column was used; when it was deprecated, and when it may be removed |
| \`X-Request-Id\` in the response | the id of the request in the log |
`

const lists = `
## Lists

Every table is a root field: \`up_masjids(where, order_by, limit, offset, distinct_on, after)\`. Without \`limit\` a list returns at
most ${limits.page} rows; a \`limit\` over ${limits.page} or below 0 is an error. The same applies to nested lists.

- \`where: {}\` is no filter; \`_and: []\` is true, \`_or: []\` is false; \`_in: []\` matches nothing. Comparing with null is an
  error (use \`_is_null\`); a variable that is not provided omits its field.
- Related rows: \`where: {events: {title: {_ilike: "%quran%"}}}\` is true for masjids with at least one such event.
- Aggregates over related rows: \`where: {events_aggregate: {count: {predicate: {_gt: 3}, filter: {…}}}}\`; also \`min\`, \`max\`, \`sum\` and
  \`avg\` with a predicate per column, and \`bool_and\` and \`bool_or\` with a column as \`arguments\`: \`{events_aggregate: {max: {predicate: {capacity: {_gte: 100}}}}}\`.
- \`order_by: [{city: asc}, {entity: {legal_name: desc}}, {events_aggregate: {count: desc}}]\`; directions \`asc\`, \`desc\` and each with
  \`_nulls_first\`, \`_nulls_last\`. Plain \`asc\` puts nulls last, plain \`desc\` first. A null is ignored.
- \`distinct_on: [city]\` keeps the first row of each city; its columns must come first in \`order_by\`.
- Pages that never skip or repeat a row: select \`_cursor\`, and pass the last one as \`after\`, with the same \`order_by\`. Ties are
  broken by the primary key.

\`\`\`graphql
query ($after: String) {
  up_masjids(order_by: {name: asc}, limit: 25, after: $after) { id name _cursor }
}
\`\`\`

## One row

\`up_masjids_by_pk(id: …)\`, and \`…_by_<columns>\` for every unique key: \`up_masjids_by_slug(slug: "…")\`. If there is no such row: \`null\`.

## Aggregates and groups

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
\`var_samp\`. \`count(columns: […])\` counts rows where none of the columns is null. \`group_by\` names the columns of the
\`groups\`, which are sorted by their keys by default.

On tables with personal data no aggregate covers fewer than ${limits.people} people: \`aggregate\` is then null and the group is left out, and
\`extensions.notes\` says so. Many gifts of one person count as one person. A user's own rows are aggregated whatever their number. For
masjids that are not its own, an app gets aggregates in groups that the table fixes (the \`@groups\` below: masjid; for gifts also fund and
currency; for RSVPs the occurrence): only these columns may be used in \`where\` and \`group_by\`, groups of fewer than ${limits.people} people are
left out, and there is no \`min\`, \`max\`, \`limit\` or \`distinct_on\`. [security.md](security.md#totals-over-people) says why.

## Values

\`bigint\` and \`numeric\` are JSON numbers with all their digits; read them with a parser that keeps them. Both can be sent as
strings. Timestamps are ISO 8601 with \`T\`; dates, times, intervals, ranges and UUIDs are strings; arrays are lists; JSON is JSON, of
which \`path: "$.a[0]"\` takes a part (also \`a['b c'][0]\` and \`a.["b c"]\`); \`{_cast: {String: {_ilike: "…"}}}\` compares it as text. A
column declared as a matrix (\`int[][]\`) is a list of lists. A text that begins with \`{\` stands for an array as PostgreSQL writes it
(\`"{1,2}"\`), any other single value for a list of one. PostgreSQL enums are GraphQL enums.
`

const writing = `
## Mutations

A table with \`@writable\` in its comment can be written by credentials that have its \`:write\` scope; introspection shows what yours may do.

| mutation | does |
|---|---|
| \`insert_T(objects, on_conflict)\`, \`insert_T_one(object, on_conflict)\` | insert rows, with nested \`{data, on_conflict}\` along relationships; \`on_conflict: {constraint, update_columns, where}\` over any unique key or index |
| \`update_T(where, _set, _inc, …, max_affected)\`, \`update_T_by_pk(pk_columns, _set, …, if_version)\`, \`update_T_many(updates)\` | change rows; \`_append\`, \`_prepend\`, \`_delete_key\`, \`_delete_elem\` and \`_delete_at_path\` change \`jsonb\` |
| \`delete_T(where, max_affected)\`, \`delete_T_by_pk(id, if_version)\`, \`restore_T_by_pk(id)\` | delete rows; where the table keeps deleted rows, they can be taken back |

Those that write several rows return \`{affected_rows returning {…}}\`; the others return the row, or null. \`returning\` and \`where\` read, so
they need the scope for reading too. An empty operator (\`_set: {}\`) changes nothing: no rows, by key null. \`mutation @dry_run { … }\`
answers what would be, and changes nothing.
`

const limitTable = `
## Limits

All apply before any work is done; each error names the figure, the maximum and what to lower.

| limit | maximum |
|---|---|
| bytes of a request body | ${limits.bodyBytes} |
| bytes of a response | ${limits.answerBytes} |
| tokens in a document | ${limits.tokens} |
| nesting of fields | ${limits.depth} |
| nesting of objects and lists in an argument | ${limits.valueDepth} |
| fields, with fragments expanded | ${limits.fields} |
| aliases | ${limits.aliases} |
| root fields | ${limits.rootFields} |
| conditions in filters; of these, on relationships | ${limits.conditions}, ${limits.relatedConditions} |
| nesting of relationships in a filter | ${limits.relatedDepth} |
| sort keys | ${limits.sortKeys} |
| rows in a list (\`limit\`) | ${limits.page} |
| cost: rows that the limits allow, multiplied down the tree, ${limits.totalCost} for each aggregate; for a batch as a whole. If that is too much, the rows that the database's statistics expect, except in tables with personal data; the error shows the cost by part | ${limits.cost} |
| \`offset\` | unlimited; ${limits.skippedRows} skipped rows cost as much as one read, up to ${limits.offsetCost} for each list |
| values in a list to compare with (\`_in\`, \`_nin\`, \`_has_keys_any\`, …) | ${limits.values} |
| characters of a pattern (\`_like\`, \`_regex\`, …), and of a function's search text | ${limits.searchCharacters} |
| operations in a batch | ${limits.batch} |

A statement that takes longer than \`STATEMENT_TIMEOUT_MS\` is cancelled (\`timeout\`), and so is one whose client has disconnected. Every
code is in [errors.md](errors.md).
`

const annotations = `
## The schema follows the database

A table, column, key, comment, enum or function changed by plain SQL appears within a second. Names and the first lines of comments
decide what is shown and what may be written:

| on | annotation | means |
|---|---|---|
| table | \`@scope a b\` | the scopes it needs, all of them; without it, those of its prefix. A scope for writing only where its rows are what the person wrote with it |
| table, column, function | \`@hidden\` | not shown; the reading role may not select it; no relationship uses a hidden column |
| table, column, function | \`@name x\` | its name in GraphQL, if its own is not valid there |
| table | \`@soft_delete deleted_at\` | rows where the column is not null are left out everywhere |
| table, column | \`@personal member_id email\` | rows about people; the first column that is not null identifies the person; reads are recorded. Of a column: the audit trail leaves its value out |
| table | \`@user_rows column function, …\`, \`@own_rows column function, …\`, \`@full_rows column list all\` | which rows a user sees, which are the user's own, and which the reader sees in full |
| table | \`@groups masjid_id, fund\` | for all other rows about people: the groups of aggregates |
| table | \`@history public\`, \`@history public function\` | others than those who see the masjid in full see the \`history\` of its rows too; where rows may be planned or hidden, \`function(row, moment)\` says whether a row was for everybody |
| column | \`@contact\` | how somebody is reached, or who they are: left out of a public \`history\` |
| table | \`@capability events\` | the capability that covers it: the audit trail records whether the writer held it, and shows its changes to whoever does |
| column | \`@calculated\` | it follows from other rows: a change of nothing else is no change in the audit trail |
| column | \`@exact relation key value\` | a reader who can see a row in that relation, which has row-level security, gets its value instead |
| column | \`@near date 1 3\` | an instant from one day before to three days after the column \`date\` (midnight UTC): conditions on it, and the first rows by it, are found by the index of that column |
| table | \`@totals_by masjid_id, date\` | aggregates must be filtered by one of these columns, or by a related row: all rows would take too long |
| view | \`@key a, b\` | its primary key: columns that are shown, and whose values can be compared |
| view | \`@foreign_key (masjid_id) references up_masjids (id) object masjid array times\` | a relationship, one per line; \`object\` and \`array\` name its two sides, and are optional |
| foreign key | \`@object masjid\`, \`@array events\` | the names of its two relationships; without them the older of two keys gets the name that both would have |
| table | \`@writable\`, \`@writable insert update\` | mutations may write it, all or some of insert, update and delete; it needs a primary key. Row-level security decides about rows |
| table | \`@write_scope events:write\` | the scopes that writing needs; without it, the \`:write\` twins of those for reading |
| column | \`@preset\` | nobody sends it: a default or a trigger sets it |
| column | \`@version\` | a bigint that a trigger raises at every update; \`if_version\` compares it |
| view, function | \`@calculated\` | the rows are calculated by the service, and given to the statement as JSON: the view is only their type, and the function their question |
| function | \`@mutation\` | a VOLATILE function that returns rows of a shown table is a mutation; \`@scope\` must name a scope for writing |
| function | \`@reads up_masjids, up_events\` | what it returns depends on its arguments and these tables alone, so that answers can be kept in memory until one of them changes; an IMMUTABLE function needs no such line |
| table | \`@made_of up_events, up_rooms\` | a hidden copy: each transaction that changes these tables keeps its rows, or has them ignored, so that answers read from it follow these tables |
| view | \`@of_masjid masjid_id up_events, up_rooms\` | of these tables, each of its rows is made of rows of the masjid that its column names, so that an answer about one masjid stays in memory when rows of others change |
| constraint, unique index | its comment | the rule in words, in the error of whoever breaks it |
| column | \`@deprecated 2026-11-01 Use x.\` | shown as deprecated; stays for at least six months |
| function | \`@computed distance_km\` | a field of the rows it takes; also shown when it is named after its table: \`up_masjids_…\` |

A table without one of the prefixes \`up_\`, \`ua_\`, \`pc_\`, or whose name is not a GraphQL name, is left out and logged.
A function is shown when it is STABLE or IMMUTABLE and returns rows of a shown table, or one row. A function that takes a row, as
whichever argument, is a field of that row: a value, or (\`returns setof up_events\`) a list with the arguments of lists. Such a value is
filtered and sorted by like a column; such rows like related rows: \`where: {upcoming: {title: {_eq: "…"}}}\`,
\`order_by: {upcoming_aggregate: {count: desc}}\`. Where it takes more arguments, write
\`{distance_km: {args: {…}, predicate: {_lt: 5}}}\` to filter, and to sort by a value \`{distance_km: {args: {…}, direction: asc}}\`.
Arguments without a name are \`arg_1\`, \`arg_2\`, …, numbered among themselves; VARIADIC ones are lists; composite ones are objects.
`

const differences = `
## Where it differs from Hasura v2

Everything else is meant to be the same. What exists here alone, such as \`group_by\`, \`after\` and \`if_version\`, is described above.

| | Hasura v2 | here |
|---|---|---|
| rights | roles, permissions in metadata, \`X-Hasura-*\` headers, session arguments of functions | [scopes](#scopes), grants and row-level security of the database; nothing in a header changes them |
| refused rights | \`permission-error\`, or a field that does not exist | \`insufficient-scope\` with the scopes that are missing; \`not-permitted\` for a row |
| an error's place | \`extensions.path\`: \`$.selectionSet…\` | \`path\` and \`locations\`, as GraphQL has them; of an inserted object, its place in \`objects\` |
| an error's code | \`data-exception\` for a bad value anywhere, \`bad-request\` for a bad pattern | \`data-exception\` only for what is written; \`bad-value\` in filters and arguments |
| | \`validation-failed\` for variables | \`bad-variables\` |
| | \`parse-failed\` for a number that is too large for \`Int\`, \`not-supported\` for a missing argument of a function | \`validation-failed\` |
| HTTP status | always 200 | 200 with \`application/json\`; with \`application/graphql-response+json\` by the kind of error |
| length of lists | unlimited | ${limits.page} rows, and the other [limits](#limits) |
| PostgreSQL enums | texts | GraphQL enums; a wrong value is \`validation-failed\` |
| JSON as text in a list (\`jsons: ["{…}"]\`) | read as JSON where it is written in the document | a JSON string, written there or in a variable |
| composite arguments | text: \`"(1,two)"\` | objects |
| functions with the same name | an error | left out, and logged |
| rows of a function of a row, with arguments | not in \`where\` | \`{args, predicate}\` |
| \`avg\` and the like of \`money\` | offered, and fail | not offered |
| PostGIS | \`_st_*\` operators, geometries as GeoJSON | no such operators; a geometry is sent as PostgreSQL writes it |
| filters of mutations | an empty condition, or a variable that is not given, matches every row | an error; \`where: {}\` means all |
| rows of a mutation | unlimited | \`max_affected\`: 100 unless told, 1000 at most |
| deleting | rows are gone | where the table keeps deleted rows, they are hidden and can be taken back |
| totals over people | exact | [none over fewer than ${limits.people}](#aggregates-and-groups) |
| introspection | what the role may | what the credential's scopes may |
| \`@cached\` | keeps the answer for a time | accepted, without effect: answers from memory are always current |
| persisted queries | refused | Apollo's |
| Relay | \`/v1beta1/relay\` | \`/v1/relay\` |
| the admin side | metadata API, actions, remote schemas, REST endpoints, native queries, event triggers, allow lists | none of these; tables, comments and functions of the database, [webhooks](guides/webhooks.md) |
`

export const apiDocument = (model: Model): string =>
  [
    head,
    scopeTable(model),
    lists,
    operatorTables(model),
    writing,
    limitTable,
    annotations,
    differences,
    functionSections(model),
    actionSections(model),
    tableSections(model),
  ].join('')
