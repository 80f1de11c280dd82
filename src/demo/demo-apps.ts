// Two approved apps and a key for a development installation, whose credentials are kept in a file beside the data.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allScopes, dataScopes } from '../access/scopes.ts'
import { demoUsers } from '../accounts/demo-users.ts'
import { checkRegistration } from '../apps/check-registration.ts'
import { approveApp } from '../apps/decide.ts'
import { createKey } from '../apps/keys.ts'
import { registerApp } from '../apps/register.ts'
import { createSecret } from '../apps/secrets.ts'
import { systemActor } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface DemoApps {
  readonly serverClientId: string
  readonly serverClientSecret: string
  readonly apiKey: string
  readonly publicClientId: string
  readonly publicRedirectUri: string
}

const REDIRECT_URI = 'http://127.0.0.1:8080/callback'

const owner = demoUsers.find(({ email }) => email.startsWith('developer'))?.id ?? ''

const fileIn = (dataDir: string): string => join(dataDir, 'demo-apps.json')

const register = async (
  database: Database,
  kind: 'public' | 'confidential',
): Promise<{ appId: string; clientId: string }> => {
  const checked = checkRegistration(
    {
      name: kind === 'public' ? 'Demo App' : 'Demo Server',
      description:
        kind === 'public' ? 'An app without a secret, to try signing in with.' : 'A server that reads for itself.',
      kind,
      redirectUris: [REDIRECT_URI],
      scopes: allScopes,
    },
    'development',
  )
  if (checked.kind === 'faulty') throw new Error(JSON.stringify(checked.faults))
  const appId = await registerApp(database, { ownerId: owner, registration: checked.registration, actor: systemActor })
  await approveApp(database, { appId, actor: systemActor })
  const app = await database.first<{ client_id: string }>(sql`select client_id from minaret.apps where id = ${appId}`)
  return { appId, clientId: app?.client_id ?? '' }
}

/** The credentials of an earlier start; undefined where there are none. */
export const readDemoApps = (dataDir: string): DemoApps | undefined =>
  existsSync(fileIn(dataDir)) ? (JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as DemoApps) : undefined

const stillThere = async (database: Database, apps: DemoApps): Promise<boolean> =>
  (await database.first(
    sql`select from minaret.apps where client_id = ${apps.serverClientId} and deleted_at is null`,
  )) !== undefined

export const createDemoApps = async (database: Database, dataDir: string): Promise<DemoApps> => {
  const known = readDemoApps(dataDir)
  if (known !== undefined && (await stillThere(database, known))) return known
  const server = await register(database, 'confidential')
  const publicApp = await register(database, 'public')
  const serverClientSecret = await createSecret(database, { appId: server.appId, actor: systemActor })
  const { key } = await createKey(database, {
    appId: server.appId,
    actor: systemActor,
    name: 'Demo key',
    environment: 'live',
    scopes: dataScopes,
  })
  const apps: DemoApps = {
    serverClientId: server.clientId,
    serverClientSecret,
    apiKey: key,
    publicClientId: publicApp.clientId,
    publicRedirectUri: REDIRECT_URI,
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  writeFileSync(fileIn(dataDir), `${JSON.stringify(apps, null, 2)}\n`, { mode: 0o600 })
  return apps
}
