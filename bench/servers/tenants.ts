// A running database → the identities the scenarios use: a user, a confidential app with its secret and keys, a public app.
import { rowId } from '../scenarios/questions.ts'
import { minaretCommand } from './minaret.ts'
import { withPasswordFile } from './password-file.ts'

export interface Tenants {
  readonly userId: string
  readonly confidential: { readonly clientId: string; readonly secret: string }
  readonly public: { readonly id: string; readonly clientId: string }
  /** A live key with every data scope. */
  readonly key: string
  /** The own app of the first masjid, with a key that may write there. */
  readonly writer: { readonly appId: string; readonly key: string }
}

export const REDIRECT_URI = 'https://app.bench.example/callback'
export const DATA_SCOPES = 'masjid:read events:read prayer-times:read donations:read members:read'

type Run = (...words: string[]) => Promise<Record<string, string>>

const createWriter = async (run: Run, owner: readonly string[]): Promise<Tenants['writer']> => {
  const scopes = ['--scope', 'masjid:read events:read events:write']
  const own = ['--masjid', 'all', '--own-masjid', rowId('masjid1')]
  const app = await run('app', 'create', ...owner, ...own, '--name', 'Writer', '--kind', 'confidential', ...scopes)
  const { key } = await run('key', 'create', '--client-id', String(app.client_id), ...scopes, '--name', 'bench')
  return { appId: String(app.id), key: String(key) }
}

export const createTenants = async (environment: Readonly<Record<string, string>>): Promise<Tenants> => {
  const run = (...words: string[]) => minaretCommand(environment, ...words)
  const owner = ['--owner', 'bench@example.org', '--description', 'Measures', '--approve']
  const person = ['--email', 'bench@example.org', '--name', 'Bench']
  const user = await withPasswordFile('a long enough password', file =>
    run('user', 'create', ...person, '--password-file', file),
  )
  const server = await run(
    'app',
    'create',
    ...owner,
    '--name',
    'Server',
    '--kind',
    'confidential',
    '--scope',
    DATA_SCOPES,
  )
  const scope = `openid profile email offline_access ${DATA_SCOPES}`
  const mobile = await run(
    'app',
    'create',
    ...owner,
    '--name',
    'Phone',
    '--kind',
    'public',
    '--redirect-uri',
    REDIRECT_URI,
    '--scope',
    scope,
  )
  const clientId = String(server.client_id)
  const { key } = await run('key', 'create', '--client-id', clientId, '--scope', DATA_SCOPES, '--name', 'bench')
  const writer = await createWriter(run, owner)
  return {
    userId: String(user.id),
    confidential: { clientId, secret: String(server.client_secret) },
    public: { id: String(mobile.id), clientId: String(mobile.client_id) },
    key: String(key),
    writer,
  }
}
