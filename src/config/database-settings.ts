// Where the data are, and how many connections lead there.
import { fileURLToPath } from 'node:url'
import { databaseAddress, databaseAddresses } from './address-readers.ts'
import { folder, onOff, wholeNumber } from './readers.ts'
import { setting } from './setting.ts'

/** Where this program is. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url))

/** The data of a development installation. */
export const OWN_DATA = `${projectFolder}.minaret`

export const databaseSettings = {
  databaseUrl: setting({
    name: 'DATABASE_URL',
    secret: true,
    fallback: undefined,
    shown: 'the embedded PostgreSQL',
    read: databaseAddress,
    meaning:
      'Any PostgreSQL from version 15, with the owner role. Required in production. With several hosts, as in `postgres://user:password@one:5432,two:5432/minaret`, the one that can be written to is used, also after a failover.',
  }),
  databaseListenUrl: setting({
    name: 'DATABASE_LISTEN_URL',
    secret: true,
    fallback: undefined,
    shown: 'DATABASE_URL',
    read: databaseAddress,
    meaning:
      'A direct connection to the same database, needed if `DATABASE_URL` goes through a pooler in transaction mode. Everything but the statements of identity uses it: listening, migrations, jobs, GraphQL.',
  }),
  databaseReadUrls: setting({
    name: 'DATABASE_READ_URL',
    secret: true,
    fallback: [],
    shown: 'DATABASE_URL',
    read: databaseAddresses,
    meaning:
      'Replicas for GraphQL reads, separated by commas. One that fails or is too far behind is left out within a second; the primary answers instead.',
  }),
  replicaLagMs: setting({
    name: 'REPLICA_LAG_MS',
    fallback: 2000,
    shown: '2000',
    read: wholeNumber(100, 3_600_000),
    meaning: 'How far a replica may be behind the primary before it is left out.',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    fallback: OWN_DATA,
    shown: '.minaret in the project',
    read: folder,
    meaning: 'Where the embedded PostgreSQL and the secret of a development installation are kept.',
  }),
  demoData: setting({
    name: 'DEMO_DATA',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning: 'Development only: invented data on the first start into empty data tables.',
  }),
  poolSize: setting({
    name: 'POOL_SIZE',
    fallback: 10,
    shown: '10',
    read: wholeNumber(2, 200),
    meaning: 'Connections for identity, per process.',
  }),
  readConnections: setting({
    name: 'READ_CONNECTIONS',
    fallback: 4,
    shown: '4',
    read: wholeNumber(1, 64),
    meaning: 'Pipelined connections for GraphQL, per process and listener.',
  }),
  writeConnections: setting({
    name: 'WRITE_CONNECTIONS',
    fallback: 8,
    shown: '8',
    read: wholeNumber(1, 64),
    meaning: 'Connections for mutations, per process; opened when first needed.',
  }),
  statementTimeoutMs: setting({
    name: 'STATEMENT_TIMEOUT_MS',
    fallback: 4000,
    shown: '4000',
    read: wholeNumber(100, 600000),
    meaning: 'How long one GraphQL statement may run.',
  }),
}
