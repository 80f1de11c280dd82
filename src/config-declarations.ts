// Every setting: its name, default, meaning and parser. `docs/configuration.md` is generated from this table.
import { fileURLToPath } from 'node:url'
import { noProxies } from './base/trusted-proxies.ts'
import { observabilityDeclarations } from './config-observability.ts'
import { providerList } from './config-providers.ts'
import {
  capabilityList,
  choice,
  type Declaration,
  databaseAddress,
  databaseAddresses,
  dataScopes,
  httpAddress,
  mailAddress,
  onOff,
  openScopes,
  secret,
  text,
  trustedProxies,
  wholeNumber,
} from './config-readers.ts'

/** Where this program is. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

/** The data of a development installation. */
export const OWN_DATA = `${projectFolder}.minaret`

export const declarations: readonly Declaration[] = [
  {
    name: 'NODE_ENV',
    fallback: 'development',
    shown: 'development',
    read: text,
    meaning:
      '`production` turns on the rules for production: https, your own database and secret, secure cookies, no demo data. Anything else is development.',
  },
  {
    name: 'HOST',
    fallback: undefined,
    shown: '127.0.0.1; in production 0.0.0.0',
    read: text,
    meaning: 'The address both listeners bind.',
  },
  {
    name: 'PORT',
    fallback: 3000,
    shown: '3000',
    read: wholeNumber(0, 65535),
    meaning: 'The port of the service; 0 picks a free one.',
  },
  {
    name: 'SANDBOX_PORT',
    fallback: 3001,
    shown: '3001',
    read: wholeNumber(0, 65535),
    meaning: 'The port of the sandbox; 0 picks a free one.',
  },
  {
    name: 'BASE_URL',
    fallback: undefined,
    shown: 'http://localhost:PORT',
    read: httpAddress,
    meaning: 'The public URL of the service, and the issuer of every token. https in production.',
  },
  {
    name: 'SANDBOX_URL',
    fallback: undefined,
    shown: 'http://localhost:SANDBOX_PORT',
    read: httpAddress,
    meaning: 'The public URL of the sandbox.',
  },
  {
    name: 'DATABASE_URL',
    secret: true,
    fallback: undefined,
    shown: 'the embedded PostgreSQL',
    read: databaseAddress,
    meaning:
      'Any PostgreSQL from version 15, with the owner role. Required in production. With several hosts, as in `postgres://user:password@one:5432,two:5432/minaret`, the one that can be written to is used, also after a failover.',
  },
  {
    name: 'DATABASE_LISTEN_URL',
    secret: true,
    fallback: undefined,
    shown: 'DATABASE_URL',
    read: databaseAddress,
    meaning:
      'A direct connection to the same database, needed if `DATABASE_URL` goes through a pooler in transaction mode. Everything but the statements of identity uses it: listening, migrations, jobs, GraphQL.',
  },
  {
    name: 'DATABASE_READ_URL',
    secret: true,
    fallback: [],
    shown: 'DATABASE_URL',
    read: databaseAddresses,
    meaning:
      'Replicas for GraphQL reads, separated by commas. One that fails or is too far behind is left out within a second; the primary answers instead.',
  },
  {
    name: 'REPLICA_LAG_MS',
    fallback: 2000,
    shown: '2000',
    read: wholeNumber(100, 3_600_000),
    meaning: 'How far a replica may be behind the primary before it is left out.',
  },
  {
    name: 'DATA_DIR',
    fallback: OWN_DATA,
    shown: '.minaret in the project',
    read: text,
    meaning: 'Where the embedded PostgreSQL and the secret of a development installation are kept.',
  },
  {
    name: 'DEMO_DATA',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning: 'Development only: invented data on the first start into empty data tables.',
  },
  {
    name: 'MINARET_SECRET',
    secret: true,
    fallback: undefined,
    shown: 'generated once and kept in DATA_DIR',
    read: secret,
    meaning:
      'At least 32 characters. Encrypts the signing keys and signs cookies. Required in production; the same in every process.',
  },
  {
    name: 'MINARET_SECRET_PREVIOUS',
    secret: true,
    fallback: undefined,
    shown: 'none',
    read: secret,
    meaning:
      'Only while `MINARET_SECRET` is being replaced: another secret that is accepted too. [operations.md](operations.md#replacing-the-secret) has the steps.',
  },
  {
    name: 'SMTP_URL',
    secret: true,
    fallback: undefined,
    shown: 'none: mail goes to the outbox page',
    read: mailAddress,
    meaning: 'The server that sends mail.',
  },
  {
    name: 'MAIL_FROM',
    fallback: 'Minaret <minaret@localhost>',
    shown: 'Minaret <minaret@localhost>',
    read: text,
    meaning: 'The sender of mail.',
  },
  {
    name: 'LOG_LEVEL',
    fallback: 'info',
    shown: 'info',
    read: choice('silent', 'error', 'warn', 'info', 'debug'),
    meaning: 'The lowest level that is logged.',
  },
  {
    name: 'WORKERS',
    fallback: 1,
    shown: '1',
    read: wholeNumber(1, 64),
    meaning: 'The number of processes on this machine.',
  },
  {
    name: 'DRAIN_SECONDS',
    fallback: undefined,
    shown: '0; in production 10',
    read: wholeNumber(0, 600),
    meaning:
      'How long the process goes on answering after SIGTERM, while `/readyz` fails and every response closes its connection: long enough for balancers to notice. Ctrl-C never drains.',
  },
  {
    name: 'KEEP_ALIVE_SECONDS',
    fallback: 65,
    shown: '65',
    read: wholeNumber(1, 3600),
    meaning:
      'How long an idle connection is kept open. Longer than the balancer in front keeps its own (60 seconds in nginx and most others), or it would send requests on connections that are being closed.',
  },
  {
    name: 'TRUST_PROXY',
    fallback: noProxies,
    shown: 'off',
    read: trustedProxies,
    meaning:
      'The proxies whose `X-Forwarded-For` is trusted, so that limits count clients and not the proxy: a number of proxies in front (`on` is 1), or their addresses and networks separated by commas, such as `10.0.0.0/8, 2001:db8::/32`. The header is read from the right. Networks are safer if clients can bypass the proxy and reach this port.',
  },
  {
    name: 'REQUEST_DEADLINE_MS',
    fallback: undefined,
    shown: '5000, or a quarter more than STATEMENT_TIMEOUT_MS',
    read: wholeNumber(200, 750000),
    meaning:
      'How long a request to an API may take, its time in queues included. After that the response is 503 `database-unavailable`. Longer than `STATEMENT_TIMEOUT_MS`.',
  },
  {
    name: 'STATEMENT_TIMEOUT_MS',
    fallback: 4000,
    shown: '4000',
    read: wholeNumber(100, 600000),
    meaning: 'How long one GraphQL statement may run.',
  },
  {
    name: 'CHANGE_LOG_DAYS',
    fallback: 7,
    shown: '7',
    read: wholeNumber(1, 365),
    meaning:
      'How many days the change log is kept. A cursor of `up_changes_since` that is older is refused (`cursor-too-old`).',
  },
  {
    name: 'ERASURE_DAYS',
    fallback: 7,
    shown: '7',
    read: wholeNumber(0, 90),
    meaning:
      'How many days pass between the wish to erase an account and doing so. Until then a link in a mail calls it off. After a change of address it is a week at least.',
  },
  {
    name: 'AUDIT_LOG_DAYS',
    fallback: 400,
    shown: '400',
    read: wholeNumber(30, 36500),
    meaning:
      'How many days the audit log is kept, by whole months: 13 months, so that what happens once a year can be compared with the year before.',
  },
  {
    name: 'READ_LOG_DAYS',
    fallback: 90,
    shown: '90',
    read: wholeNumber(30, 36500),
    meaning: 'How many days the record of who read data about people is kept, by whole months.',
  },
  {
    name: 'WRITTEN_ROWS_DAYS',
    fallback: 0,
    shown: '0: for good',
    read: wholeNumber(0, 36500),
    meaning:
      'How many days the audit trail of written rows is kept, by whole months. It is also the `history` of each row, so nothing is dropped unless you say so.',
  },
  {
    name: 'POOL_SIZE',
    fallback: 10,
    shown: '10',
    read: wholeNumber(2, 200),
    meaning: 'Connections for identity, per process.',
  },
  {
    name: 'READ_CONNECTIONS',
    fallback: 4,
    shown: '4',
    read: wholeNumber(1, 64),
    meaning: 'Pipelined connections for GraphQL, per process and listener.',
  },
  {
    name: 'ANSWER_CACHE_MB',
    fallback: 32,
    shown: '32',
    read: wholeNumber(0, 65536),
    meaning:
      'Memory for answers of the main endpoint, per process, in MiB. An answer from memory is never out of date: it is checked against the change log each time. `0` switches this off.',
  },
  {
    name: 'CDN_SECONDS',
    fallback: 0,
    shown: '0',
    read: wholeNumber(0, 86_400),
    meaning:
      'For how long shared caches, such as a CDN, may keep answers to persisted queries sent with GET, if these need no scope but those of `CDN_SCOPES`. For that time such a cache may send an answer that is out of date.',
  },
  {
    name: 'CDN_SCOPES',
    fallback: [],
    shown: 'none',
    read: openScopes,
    meaning:
      'The scopes whose data you declare open to everyone, separated by spaces: a shared cache may send answers that need no others to clients without a credential. Never those of data about people.',
  },
  {
    name: 'PROVIDERS',
    secret: true,
    fallback: [],
    shown: 'none',
    read: providerList,
    meaning:
      'Other OpenID providers that people can sign in with, as a JSON list; best in a file that `PROVIDERS_FILE` names. See [sign-in with other providers](providers.md).',
  },
  {
    name: 'SECOND_FACTOR_SCOPES',
    fallback: [],
    shown: 'none',
    read: dataScopes,
    meaning:
      'Scopes for which people must have signed in with a second factor, separated by spaces. A person’s token with one of them that came of a password alone gets 401 `insufficient_user_authentication` at the GraphQL endpoint (RFC 9470), and the app asks again with `acr_values`.',
  },
  {
    name: 'SECOND_FACTOR_CAPABILITIES',
    fallback: [],
    shown: 'none',
    read: capabilityList,
    meaning:
      'What people may do at a masjid only once their account has a second factor, separated by spaces: `times`, `events`, `announcements`, `people`, `giving`, `screens`, `capabilities`. PostgreSQL enforces it, for pages and for tokens, for writing and for reading what a capability opens.',
  },
  {
    name: 'WRITE_CONNECTIONS',
    fallback: 8,
    shown: '8',
    read: wholeNumber(1, 64),
    meaning: 'Connections for mutations, per process; opened when first needed.',
  },
  {
    name: 'PLAIN_CONNECTIONS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      "Whether plain `POST /v1/graphql` requests are read ahead of Node's HTTP server, which gives a higher throughput. If off, Node's server reads everything.",
  },
  {
    name: 'REQUESTS_PER_APP',
    fallback: 128,
    shown: '128',
    read: wholeNumber(1, 10_000),
    meaning:
      'How many GraphQL requests of one app (in the sandbox: of one address) are in progress at a time, per process; as many again at the token endpoint. Four times as many of all apps together. The rest wait, and apps take turns.',
  },
  {
    name: 'SUBSCRIPTIONS',
    fallback: 20_000,
    shown: '20000',
    read: wholeNumber(1, 1_000_000),
    meaning: 'How many subscriptions may be open at a time, per process and listener.',
  },
  {
    name: 'SUBSCRIPTIONS_PER_APP',
    fallback: 1000,
    shown: '1000',
    read: wholeNumber(1, 1_000_000),
    meaning: 'How many of them one app may have open, for itself and for each person it acts for, per process.',
  },
  {
    name: 'SUBSCRIPTIONS_PER_ADDRESS',
    fallback: 1000,
    shown: '1000',
    read: wholeNumber(1, 1_000_000),
    meaning:
      'How many of them, and how many WebSocket connections, one address may have open, per process. The sandbox allows 20.',
  },
  {
    name: 'RATE_LIMITS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      'Whether attempts are limited: per address, account and app at sign-in and the OAuth endpoints, per address in the sandbox and for everything that is asked without a credential.',
  },
  {
    name: 'SELF_DESCRIBED_APPS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      'Whether an app may describe itself: its `client_id` is the https address of a document about it, which the service fetches (OAuth Client ID Metadata Documents). Until a reviewer approves its host, such an app reaches public data and the person’s own.',
  },
  {
    name: 'ROWS_PER_MINUTE',
    fallback: undefined,
    shown: 'no limit',
    read: wholeNumber(100, 1_000_000_000),
    meaning:
      'How many rows an app may request per minute at the GraphQL endpoint, for itself and for each person it acts for.',
  },
  ...observabilityDeclarations,
]
