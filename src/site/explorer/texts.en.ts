// English: the explorer.
import type { PluralForms } from '../../base/in-words.ts'

interface ExampleWords {
  readonly title: string
  /** What the response shows. */
  readonly summary: string
  /** The first line of the query. */
  readonly comment: string
}

const examples = {
  first: {
    title: 'First query',
    summary: 'Masjids of one city, with their addresses.',
    comment: 'Masjids of one city. Change it, and run again.',
  },
  'near-me': {
    title: 'Masjids near me',
    summary: 'Within 25 km of a place, nearest first, with the distance.',
    comment: 'Masjids within 25 km of a place, nearest first. Put your own place here.',
  },
  'as-people-type': {
    title: 'Search as people type',
    summary: 'By name, city or country, in any script; of those that fit alike, the nearest first.',
    comment: 'Masjids by what somebody typed, with its slips. Try a city, a country, or another script.',
  },
  'todays-times': {
    title: 'Today’s times',
    summary: 'Adhan and iqamah of one masjid, as full instants.',
    comment: 'Adhan and iqamah of one masjid on one day, as full instants.',
  },
  'events-this-week': {
    title: 'Events this week',
    summary: 'Every occurrence of the next seven days, with its event and masjid.',
    comment: 'What happens in the next seven days.',
  },
  'announcements-as-they-come': {
    title: 'Announcements as they come',
    summary: 'A subscription: the newest announcements, sent again whenever one changes.',
    comment: 'The newest announcements, and again when one changes.',
  },
  'donations-by-fund': {
    title: 'Donations by fund',
    summary: 'Totals of invented gifts, each fund apart.',
    comment: 'Zakat is restricted money: totals are always by fund and currency. This one needs a test key.',
  },
  'try-an-event': {
    title: 'Try announcing an event',
    summary: 'A mutation as a dry run: what it would write, without keeping it.',
    comment: 'What announcing an event would do. Nothing is kept. This one needs a test key.',
  },
} satisfies Readonly<Record<string, ExampleWords>>

export type ExampleName = keyof typeof examples

/** What the scripts say. */
const client = {
  live: {
    first: 'Subscribed. First result at {time}.',
    next: 'Subscribed. Result {count} at {time}.',
    ended: 'The subscription has ended.',
    lost: 'The connection was lost. Connecting again…',
  },
  builder: {
    waiting: 'The schema is being read…',
    unreadable: 'The query cannot be read yet. The ticks follow once it can.',
    nothingFound: 'No table or field is called that.',
    open: 'Fields of {name}',
    conditions: 'Where',
    addCondition: 'Add a condition',
    removeCondition: 'Remove the condition on {column}',
    column: 'Column',
    operator: 'Comparison',
    value: 'Value',
    order: 'Order by',
    direction: 'Direction',
    ascending: 'ascending',
    descending: 'descending',
    none: 'none',
    yes: 'yes',
    no: 'no',
    written: 'written in the query',
    more: 'Other fields',
  },
  answer: {
    view: 'Show the answer as',
    json: 'JSON',
    table: 'Table',
    map: 'Map',
    list: 'List',
    rows: { one: '{count} row', other: '{count} rows' } as PluralForms,
    time: '{ms} ms',
    timeLabel: 'From sending to the whole answer, as this page saw it',
    server: 'service {ms} ms',
    database: 'database {ms} ms',
    cost: 'cost {rows} of {maximum}',
    costLabel: 'The rows that the limits of this query allow, and the most a query may allow',
    memory: 'from memory',
    shown: 'The first {shown} of {count} rows',
    kilometres: '{count} km',
    places: { one: 'A map with {count} place', other: 'A map with {count} places' } as PluralForms,
  },
  history: {
    empty: 'What you run is listed here, in this browser only. Headers and credentials are never kept.',
    clear: 'Clear the history',
    failed: 'failed',
  },
  share: {
    copied: 'Link copied',
    secret: 'Your credential is in the query or its variables. Take it out before you share them.',
    long: 'This query is too long for a link.',
    failed: 'The link is in the address bar: copy it from there.',
  },
  saved: {
    empty: 'This app has no saved queries yet.',
    by: '{name}, {date}',
    deleteNamed: 'Delete {name}',
    confirm: 'Delete “{name}”? The whole team loses it.',
    saved: 'Saved for the team.',
    deleted: 'Deleted.',
    secret: 'Your credential is in the query or its variables. Take it out before you save them.',
    signedOut: 'You are signed out, or not on the team any more. Load this page again.',
    tooMany: 'This app has 100 saved queries. Delete one first.',
    tooLarge: 'A name has at most 100 characters, a query 20,000, its variables 10,000. None of it may be missing.',
    failed: 'That did not work. Try again.',
  },
  headers: {
    explain: 'the cost of the query in the answer',
    dryRun: 'a change is tried, and not kept',
    position: 'rows at least as new as an earlier answer',
    idempotency: 'a change is made once, however often it is sent',
  },
}

export const en = {
  title: 'Explorer',
  documentation: 'Documentation',
  examplesLabel: 'Example queries',
  testKey: 'test key',
  ask: 'Ask',
  sandbox: 'the sandbox (invented data)',
  live: 'the live data',
  credential: 'Credential',
  credentialPlaceholder: 'API key or access token',
  credentialNote: 'Kept in the memory of this page only, and gone when you leave it.',
  useTestKey: 'Use the public test key',
  tools: 'Tools',
  build: 'Build',
  history: 'History',
  saved: 'Saved',
  copyLink: 'Copy link',
  buildTitle: 'Build a query',
  buildLead: 'Tick what you want to read. The query in the editor follows, and so do the ticks when you type.',
  find: 'Find a table or field',
  historyTitle: 'History',
  savedTitle: 'Saved queries',
  savedLead: 'The team of the app sees them, and nobody else. Credentials are never saved.',
  savedSignIn: 'Sign in to save queries for an app of yours and its team.',
  savedElsewhere: 'Queries are saved for an app, in the explorer of the main service.',
  savedOpenMain: 'Open it there',
  signIn: 'Sign in',
  noApps: 'Queries are saved for an app. You have none yet.',
  registerApp: 'Register an app',
  app: 'App',
  queryName: 'Name',
  save: 'Save the query',
  viewerNote: 'You read the saved queries of this app. Its owners and developers save and delete.',
  noScriptTitle: 'The explorer needs JavaScript',
  noScriptLead: 'The endpoint does not. Ask it from a terminal:',
  examples,
  client,
}

export type ExplorerTexts = typeof en
