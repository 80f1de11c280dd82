// How much may be asked for, how long that may take, and which answers are kept.
import { onOff, openScopes, wholeNumber } from './readers.ts'
import { setting } from './setting.ts'

export const requestSettings = {
  requestDeadlineMs: setting({
    name: 'REQUEST_DEADLINE_MS',
    fallback: undefined,
    shown: '5000, or a quarter more than STATEMENT_TIMEOUT_MS',
    read: wholeNumber(200, 750000),
    meaning:
      'How long a request to an API may take, its time in queues included. After that the response is 503 `database-unavailable`. Longer than `STATEMENT_TIMEOUT_MS`.',
  }),
  requestsPerApp: setting({
    name: 'REQUESTS_PER_APP',
    fallback: 128,
    shown: '128',
    read: wholeNumber(1, 10_000),
    meaning:
      'How many GraphQL requests of one app (in the sandbox: of one address) are in progress at a time, per process; as many again at the token endpoint. Four times as many of all apps together. The rest wait, and apps take turns.',
  }),
  rowsPerMinute: setting({
    name: 'ROWS_PER_MINUTE',
    fallback: undefined,
    shown: 'no limit',
    read: wholeNumber(100, 1_000_000_000),
    meaning:
      'How many rows an app may request per minute at the GraphQL endpoint, for itself and for each person it acts for.',
  }),
  rateLimits: setting({
    name: 'RATE_LIMITS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      'Whether attempts are limited: per address, account and app at sign-in and the OAuth endpoints, per address in the sandbox and for everything that is asked without a credential.',
  }),
  subscriptions: setting({
    name: 'SUBSCRIPTIONS',
    fallback: 20_000,
    shown: '20000',
    read: wholeNumber(1, 1_000_000),
    meaning: 'How many subscriptions may be open at a time, per process and listener.',
  }),
  subscriptionsPerApp: setting({
    name: 'SUBSCRIPTIONS_PER_APP',
    fallback: 1000,
    shown: '1000',
    read: wholeNumber(1, 1_000_000),
    meaning: 'How many of them one app may have open, for itself and for each person it acts for, per process.',
  }),
  subscriptionsPerAddress: setting({
    name: 'SUBSCRIPTIONS_PER_ADDRESS',
    fallback: 1000,
    shown: '1000',
    read: wholeNumber(1, 1_000_000),
    meaning:
      'How many of them, and how many WebSocket connections, one address may have open, per process. The sandbox allows 20.',
  }),
  answerCacheMb: setting({
    name: 'ANSWER_CACHE_MB',
    fallback: 32,
    shown: '32',
    read: wholeNumber(0, 65536),
    meaning:
      'Memory for answers of the main endpoint, per process, in MiB. An answer from memory is never out of date: it is checked against the change log each time. `0` switches this off.',
  }),
  pageCacheMb: setting({
    name: 'PAGE_CACHE_MB',
    fallback: 16,
    shown: '16',
    read: wholeNumber(0, 65536),
    meaning:
      'Memory for public pages, calendars and what screens show, per process, in MiB. Like answers, they are checked against the change log each time. `0` switches this off.',
  }),
  cdnSeconds: setting({
    name: 'CDN_SECONDS',
    fallback: 0,
    shown: '0',
    read: wholeNumber(0, 86_400),
    meaning:
      'For how long shared caches, such as a CDN, may keep answers to persisted queries sent with GET, if these need no scope but those of `CDN_SCOPES`. For that time such a cache may send an answer that is out of date.',
  }),
  cdnScopes: setting({
    name: 'CDN_SCOPES',
    fallback: [],
    shown: 'none',
    read: openScopes,
    meaning:
      'The scopes whose data you declare open to everyone, separated by spaces: a shared cache may send answers that need no others to clients without a credential. Never those of data about people.',
  }),
}
