// One request, sent to either server → the parts of the response that must be the same in servers that follow the RFCs.
import { basic, makePkce, type TestApp } from '../../support/oauth.ts'

export interface Side {
  readonly paths: Readonly<
    Record<'authorize' | 'token' | 'revoke' | 'introspect' | 'userinfo' | 'push' | 'device', string>
  >
  readonly publicClient: TestApp
  readonly serverClient: TestApp
}

/** The parts of a response that must be the same in servers that follow the RFCs. */
export type Answer = Readonly<Record<string, unknown>>

export const SIGN_IN = { outcome: 'asks the person' }

/** Where the browser is sent: to a page of the server, or back to the app with a result. */
const describeRedirect = (side: Side, location: string): Answer => {
  if (!location.startsWith(side.publicClient.redirectUri)) return SIGN_IN
  const { searchParams } = new URL(location)
  return {
    outcome: 'returns',
    error: searchParams.get('error'),
    state: searchParams.get('state'),
    iss: searchParams.has('iss'),
  }
}

export const authorizing =
  (changes: Record<string, string | undefined>, repeated?: string) =>
  async (side: Side): Promise<Answer> => {
    const parameters = new URLSearchParams()
    const all: Record<string, string | undefined> = {
      response_type: 'code',
      client_id: side.publicClient.clientId,
      redirect_uri: side.publicClient.redirectUri,
      scope: 'openid',
      state: 'the state',
      code_challenge: makePkce().challenge,
      code_challenge_method: 'S256',
      ...changes,
    }
    for (const [name, value] of Object.entries(all)) if (value !== undefined) parameters.append(name, value)
    if (repeated !== undefined) parameters.append(repeated, all[repeated] ?? 'x')
    const response = await fetch(`${side.paths.authorize}?${parameters}`, { redirect: 'manual' })
    await response.arrayBuffer()
    const location = response.headers.get('location')
    return location === null ? { outcome: 'page', status: response.status } : describeRedirect(side, location)
  }

type Credentials = 'public' | 'server' | 'wrong' | 'unknown' | 'nobody'

const credentials = (
  side: Side,
  who: Credentials,
): { form: Record<string, string>; headers: Record<string, string> } => {
  const { publicClient, serverClient } = side
  if (who === 'public') return { form: { client_id: publicClient.clientId }, headers: {} }
  if (who === 'server') return { form: {}, headers: basic(serverClient) }
  if (who === 'wrong') return { form: {}, headers: basic({ ...serverClient, secret: 'wrong' }) }
  return { form: {}, headers: who === 'unknown' ? basic({ ...serverClient, clientId: 'nobody' }) : {} }
}

export const describeAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>
  return {
    status: response.status,
    error: body.error,
    noStore: response.headers.get('cache-control')?.includes('no-store') === true,
    challenge: response.headers.get('www-authenticate')?.split(' ')[0],
    empty: text === '',
    fields: body.error === undefined ? Object.keys(body).sort() : [],
  }
}

export const posting =
  (endpoint: 'token' | 'revoke' | 'introspect' | 'push' | 'device', who: Credentials, fields: Record<string, string>) =>
  async (side: Side): Promise<Answer> => {
    const { form, headers } = credentials(side, who)
    const body = new URLSearchParams({ ...fields, ...form })
    return describeAnswer(await fetch(side.paths[endpoint], { method: 'POST', body, headers }))
  }
