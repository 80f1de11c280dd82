// Another OpenID provider on loopback (oidc-provider), at which people sign in by a cookie that names their account.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import Provider from 'oidc-provider'
import { decodeHtml } from './person.ts'
import { quietly } from './quietly.ts'

export interface OtherAccount {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

/** What the browser carries back: an address, or a form that is posted to it. */
interface Return {
  readonly url: URL
  readonly form: Record<string, string> | undefined
}

export interface OtherProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Once the address of the service is known. */
  open(redirectUri: string): Promise<void>
  /** For a browser that goes there itself, with a cookie `who`. */
  know(account: OtherAccount): void
  /** Opens the address that the service sent the browser to, and signs in there. */
  visit(location: string, account: OtherAccount): Promise<Return>
  /** From now on nothing listens there. */
  close(): Promise<void>
}

const CLIENT = { clientId: 'minaret', clientSecret: 'a secret at another provider' }

export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const closeServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const configuration = async (redirectUri: string, accounts: Map<string, OtherAccount>): Promise<object> => {
  const key = await exportJWK(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  return {
    jwks: { keys: [{ ...key, use: 'sig', alg: 'ES256', kid: 'other' }] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ ...accounts.get(id), sub: id }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Whoever signs in has agreed.
    loadExistingGrant: async (context: {
      oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } }
    }) => {
      const { provider, client, session } = context.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['keys of a test'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  }
}

const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1]

/** The sign-in page of the provider: nobody types anything. */
const answer = (provider: Provider) => {
  const usual = provider.callback()
  return (request: IncomingMessage, response: ServerResponse): void => {
    const who = cookieOf(request, 'who')
    if (!request.url?.startsWith('/interaction/')) return void usual(request, response)
    const result =
      who === undefined || who === 'nobody'
        ? { error: 'access_denied', error_description: 'the person said no' }
        : { login: { accountId: decodeURIComponent(who) } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
}

const formOn = (page: string): Return | undefined => {
  const action = /<form method="post" action="([^"]*)"/.exec(page)?.[1]
  if (action === undefined) return undefined
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decodeHtml(value)]))
  return { url: new URL(decodeHtml(action)), form }
}

const follow = async (issuer: string, start: string, account: OtherAccount): Promise<Return> => {
  const cookies = new Map([['who', encodeURIComponent(account.sub)]])
  let url = new URL(start)
  for (let hops = 0; hops < 10; hops += 1) {
    if (url.origin !== issuer) return { url, form: undefined }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get('location')
    if (location === null) {
      const form = formOn(text)
      if (form === undefined) throw new Error(`the provider answered ${response.status}: ${text.slice(0, 2000)}`)
      return form
    }
    url = new URL(location, url)
  }
  throw new Error('the provider redirects for ever')
}

/** Listens at once; answers after `open`. */
export const startOtherProvider = async (): Promise<OtherProvider> => {
  const server = createServer()
  const issuer = await listen(server)
  const accounts = new Map<string, OtherAccount>()
  return {
    issuer,
    ...CLIENT,
    open: redirectUri =>
      quietly(async () => {
        server.on('request', answer(new Provider(issuer, await configuration(redirectUri, accounts))))
      }),
    know: account => void accounts.set(account.sub, account),
    visit: (location, account) => {
      accounts.set(account.sub, account)
      return follow(issuer, location, account)
    },
    close: () => closeServer(server),
  }
}
