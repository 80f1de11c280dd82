// Config → findings. Looks at everything, changes nothing, and goes on after a check that failed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { type Clock, systemClock } from '../../base/clock.ts'
import { redactText } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import { awaitDatabase } from '../../db/await-database.ts'
import { findHome } from '../../db/embedded/home.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import { type BorrowedStore, borrowStore } from '../../db/store.ts'
import { withClient } from '../../db/with-client.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkAnnouncedTimes } from './check-announced-times.ts'
import { checkChangeLog } from './check-change-log.ts'
import { checkClients } from './check-clients.ts'
import { checkClock } from './check-clock.ts'
import { checkConnections } from './check-connections.ts'
import { checkDisk } from './check-disk.ts'
import { checkDurability } from './check-durability.ts'
import { checkHosts } from './check-hosts.ts'
import { checkLogs } from './check-logs.ts'
import { checkMail } from './check-mail.ts'
import { checkMigrations } from './check-migrations.ts'
import { checkPooler } from './check-pooler.ts'
import { checkProviders } from './check-providers.ts'
import { checkReplicas } from './check-replicas.ts'
import { checkRights } from './check-rights.ts'
import { checkSecret } from './check-secret.ts'
import { checkExtensions, checkServer } from './check-server.ts'
import { checkTimeZones } from './check-time-zones.ts'
import { checkTraces } from './check-traces.ts'
import { checkWritable } from './check-writable.ts'
import { type Finding, fault, ok, skipped } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const checks: readonly Check[] = [
  checkPooler,
  checkHosts,
  checkServer,
  checkWritable,
  checkExtensions,
  checkRights,
  checkMigrations,
  checkChangeLog,
  checkLogs,
  checkSecret,
  checkClock,
  checkTimeZones,
  checkAnnouncedTimes,
  checkConnections,
  checkDisk,
  checkDurability,
  checkReplicas,
  checkAddresses,
  checkClients,
]

/** Two attempts at a database that does not answer. */
const PATIENCE_MS = 1000
const STATEMENT_MS = 10_000

export interface DiagnosisOptions {
  /** What this machine's clock says. */
  readonly clock?: Clock
  /** Which installation is looked at. */
  readonly say: (text: string) => void
}

/** An error nobody thought of must not hide what the other checks found. */
const run = async ({ name, look }: Check, subject: Subject): Promise<readonly Finding[]> => {
  try {
    return await look(subject)
  } catch (error) {
    const reason = redactText((error as Error).message)
    return [fault(name, `This check failed: ${reason}.`, 'Mend what the other findings say, and run this again.')]
  }
}

/** Not by name: a name in a schema that this role may not use is an error. */
const canReadKeys = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(`
    select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'minaret' and c.relname = 'signing_keys' and has_schema_privilege(n.oid, 'usage')
        and has_table_privilege(c.oid, 'select')) as readable`)
  return rows[0].readable
}

const lookAtDatabase = async (config: Config, store: BorrowedStore, clock: Clock): Promise<Finding[]> => {
  const { owner, installation } = store
  const patience = { connectionTimeoutMillis: STATEMENT_MS, query_timeout: STATEMENT_MS }
  return withClient({ ...owner, ...patience, application_name: 'minaret doctor' }, async client => {
    const isMigrated = await canReadKeys(client)
    const subject = { config, clock, store, client, isMigrated }
    const findings: Finding[] = [ok('database', `${installation}: it answers.`)]
    for (const check of checks) findings.push(...(await run(check, subject)))
    return findings
  })
}

/** Without one, looking would create it. */
const hasDatabase = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(findHome(dataDir).data, 'PG_VERSION'))

const lookInside = async (config: Config, { clock = systemClock, say }: DiagnosisOptions): Promise<Finding[]> => {
  if (!hasDatabase(config))
    return [skipped('database', `There is none in ${config.dataDir} yet; the first start creates it.`)]
  const store = await borrowStore(config)
  try {
    say(`Installation: ${store.installation}`)
    if (config.databaseUrl !== undefined) await awaitDatabase(store.owner, { say, patienceMs: PATIENCE_MS })
    return await lookAtDatabase(config, store, clock)
  } finally {
    await store.close()
  }
}

/** By what the error says. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'Check the host in DATABASE_URL, and whether this machine can resolve its name'],
  [/ECONNREFUSED|ENOENT/, 'Check host and port in DATABASE_URL, or start PostgreSQL there'],
  [
    /EHOSTUNREACH|ENETUNREACH|timeout expired|ETIMEDOUT/,
    'Check host and port in DATABASE_URL, and the firewalls in between',
  ],
  [
    /statement timeout/,
    'Remove the statement_timeout that is set for this role or database (alter role … reset statement_timeout)',
  ],
]

/** A database that cannot be used is what must be mended first. */
const unusable = (error: unknown): Finding[] => {
  const found = redactText((error as Error).message)
  const known = remedies.find(([pattern]) => pattern.test(found))?.[1]
  const usual =
    error instanceof StartFault ? 'Do what the sentence says' : 'Check DATABASE_URL, and whether PostgreSQL runs'
  return [fault('database', found, `${known ?? usual}, and run this again.`)]
}

export const diagnose = async (config: Config, options: DiagnosisOptions): Promise<Finding[]> => {
  const inside = await lookInside(config, options).catch(unusable)
  return [...inside, ...(await checkMail(config)), ...(await checkProviders(config)), ...(await checkTraces(config))]
}
