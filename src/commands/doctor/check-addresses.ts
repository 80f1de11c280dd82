// The public URLs: whether they can be reached, and lead to this installation rather than to another.
import type { Config } from '../../config/config.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

export const PATIENCE_MS = 5000

export interface Place {
  readonly check: 'base-url' | 'sandbox-url'
  readonly setting: 'BASE_URL' | 'SANDBOX_URL'
  readonly url: string
}

const isRunning = async ({ client }: Subject): Promise<boolean> => {
  const { rows } = await client.query(
    "select exists (select from pg_stat_activity where datname = current_database() and application_name = 'minaret listener') as running",
  )
  return rows[0].running
}

/** The driver of `fetch` hides the reason in the cause. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } }
  if ((error as Error).name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1000} seconds`
  return cause?.message || cause?.code || message
}

const unreachable = async (subject: Subject, { check, setting, url }: Place, error: unknown): Promise<Finding> => {
  const found = `${url} cannot be reached from here: ${reasonOf(error)}.`
  const running = await isRunning(subject)
  if (/ENOTFOUND|EAI_AGAIN/.test(found))
    return (running ? fault : warning)(check, found, `Check the name in ${setting}, and that DNS has it.`)
  return running
    ? fault(check, found, `Check ${setting}, DNS, the certificate, and that the proxy leads to this service.`)
    : warning(
        check,
        `${found} No service runs on this database.`,
        'Start it with bin/minaret serve, and run this again.',
      )
}

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init })

/** Undefined if it is not JSON. */
const readJson = async (response: Response): Promise<Record<string, unknown> | undefined> => {
  try {
    return (await response.json()) as Record<string, unknown>
  } catch {
    return undefined
  }
}

const knownKeys = async ({ client, isMigrated }: Subject): Promise<ReadonlySet<string>> => {
  if (!isMigrated) return new Set()
  const { rows } = await client.query<{ kid: string }>('select kid from minaret.signing_keys')
  return new Set(rows.map(({ kid }) => kid))
}

/** Its keys are in this database: nothing else can say that. */
const isOurs = async (subject: Subject, jwksUri: unknown): Promise<boolean> => {
  const jwks = await readJson(await ask(String(jwksUri)))
  const keys = (jwks?.keys ?? []) as readonly { readonly kid?: string }[]
  const known = await knownKeys(subject)
  return keys.some(({ kid }) => kid !== undefined && known.has(kid))
}

const lookAtBase = async (subject: Subject, place: Place): Promise<Finding> => {
  const { check, url } = place
  const response = await ask(`${url}/.well-known/openid-configuration`)
  const discovery = response.status === 200 ? await readJson(response) : undefined
  if (discovery?.issuer === undefined)
    return fault(
      check,
      `${url} answers, but not as Minaret does (status ${response.status}).`,
      'Check BASE_URL, and that the proxy passes every path to the service without redirecting.',
    )
  if (discovery.issuer !== url)
    return fault(
      check,
      `The service at ${url} calls itself ${discovery.issuer}: its tokens would be refused.`,
      'Give every process the same BASE_URL, which is the one that people use.',
    )
  return (await isOurs(subject, discovery.jwks_uri))
    ? ok(check, `${url} leads to this installation.`)
    : fault(
        check,
        `${url} leads to another installation: its signing keys are not in this database.`,
        'Check DATABASE_URL here and there, and where the proxy leads.',
      )
}

const lookAtSandbox = async (_subject: Subject, { check, url }: Place): Promise<Finding> => {
  const response = await ask(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })
  const answer = await readJson(response)
  return response.status === 200 && answer?.data !== undefined
    ? ok(check, `${url} answers without a credential.`)
    : fault(
        check,
        `${url} does not answer as the sandbox (status ${response.status}).`,
        'Check that the proxy leads SANDBOX_URL to SANDBOX_PORT.',
      )
}

export const placesOf = ({ baseUrl, port, sandboxUrl, sandboxPort }: Config): readonly [Place, Place] => [
  { check: 'base-url', setting: 'BASE_URL', url: baseUrl ?? `http://localhost:${port}` },
  { check: 'sandbox-url', setting: 'SANDBOX_URL', url: sandboxUrl ?? `http://localhost:${sandboxPort}` },
]

export const checkAddresses: Check = {
  name: 'addresses',
  look: async subject => {
    const [base, sandbox] = placesOf(subject.config)
    return [
      await lookAtBase(subject, base).catch(error => unreachable(subject, base, error)),
      await lookAtSandbox(subject, sandbox).catch(error => unreachable(subject, sandbox, error)),
    ]
  },
}
