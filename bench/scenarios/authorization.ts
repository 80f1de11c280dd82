// Authorization servers side by side → one scenario for each endpoint.

import { clientHeaders } from '../load/clients.ts'
import type { Source } from '../load/job.ts'
import { formRequest, requestHead, requestText } from '../load/request.ts'
import { CONNECTIONS, httpContender, jobFor, type Machinery } from '../measure/http-contender.ts'
import type { Contender, Scenario } from '../measure/rounds.ts'
import { REDIRECT_URI } from '../servers/tenants.ts'
import { type Issuer, VERIFIER } from './issuer.ts'

const codeRequest = ({ paths, clientId }: Issuer, code: string): string =>
  formRequest(paths.token, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: clientId,
    code_verifier: VERIFIER,
  })

const CLIENTS = 200

/** From many clients, with different headers. */
export const credentialsRequests = (path: string, headers: Readonly<Record<string, string>>): readonly string[] =>
  Array.from({ length: CLIENTS }, (_, number) =>
    formRequest(
      path,
      { grant_type: 'client_credentials', scope: 'masjid:read' },
      { ...clientHeaders(number), ...headers },
    ),
  )

/** As many single-use codes or tokens as a round may need; if they run out, the round is shorter. */
const enough = (milliseconds: number): number => Math.ceil(milliseconds * 2.5)

const exchangeCodes = async (issuer: Issuer, count: number, openid: boolean): Promise<Source> => {
  const codes = await issuer.codes(count, openid)
  return { kind: 'once', requests: codes.map(code => codeRequest(issuer, code)) }
}

interface TokenWish {
  readonly count: number
  readonly openid: boolean
  readonly field: string
}

/** Gets tokens by real code exchanges, outside the measured time. */
const collectTokens = async (machinery: Machinery, issuer: Issuer, wish: TokenWish): Promise<readonly string[]> => {
  const source = await exchangeCodes(issuer, wish.count, wish.openid)
  return (await machinery.generator.run(jobFor(issuer.server.port, source, { collect: wish.field }))).collected
}

type SourceOf = (machinery: Machinery, issuer: Issuer, milliseconds: number) => Promise<Source>

const refreshChains: SourceOf = async (machinery, issuer) => ({
  kind: 'chain',
  before: requestHead({
    method: 'POST',
    path: issuer.paths.token,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  after: `grant_type=refresh_token&client_id=${issuer.clientId}&refresh_token=`,
  field: 'refresh_token',
  first: await collectTokens(machinery, issuer, { count: CONNECTIONS, openid: false, field: 'refresh_token' }),
})

const userinfoRequests: SourceOf = async (machinery, issuer) => {
  const tokens = await collectTokens(machinery, issuer, { count: 200, openid: true, field: 'access_token' })
  const toRequest = (token: string): string =>
    requestText({ method: 'GET', path: issuer.paths.userinfo, headers: { authorization: `Bearer ${token}` } })
  return { kind: 'random', requests: tokens.map(toRequest) }
}

const revokeRequests: SourceOf = async (machinery, issuer, milliseconds) => {
  const wish = { count: enough(milliseconds), openid: false, field: 'refresh_token' }
  const tokens = await collectTokens(machinery, issuer, wish)
  const toRequest = (token: string): string => formRequest(issuer.paths.revoke, { token, client_id: issuer.clientId })
  return { kind: 'once', requests: tokens.map(toRequest) }
}

interface Endpoint {
  readonly name: string
  readonly title: string
  readonly bodyStart: string
  readonly source: SourceOf
}

const endpoints: readonly Endpoint[] = [
  {
    name: 'authorization.client-credentials',
    title: 'Client credentials',
    bodyStart: '{"access_token":"ey',
    source: async (_machinery, { paths, basic }) => ({
      kind: 'random',
      requests: credentialsRequests(paths.token, { authorization: basic }),
    }),
  },
  {
    name: 'authorization.code',
    title: 'Code exchange',
    bodyStart: '{"access_token":"',
    source: (_machinery, issuer, milliseconds) => exchangeCodes(issuer, enough(milliseconds), false),
  },
  {
    name: 'authorization.code-openid',
    title: 'Code exchange with an ID token (RS256)',
    bodyStart: '{"access_token":"',
    source: (_machinery, issuer, milliseconds) => exchangeCodes(issuer, enough(milliseconds), true),
  },
  {
    name: 'authorization.refresh',
    title: 'Refresh with rotation',
    bodyStart: '{"access_token":"',
    source: refreshChains,
  },
  { name: 'authorization.userinfo', title: 'Userinfo', bodyStart: '{"sub":"', source: userinfoRequests },
  { name: 'authorization.revoke', title: 'Revoke a refresh token', bodyStart: '', source: revokeRequests },
  {
    name: 'authorization.discovery',
    title: 'Discovery document',
    bodyStart: '{',
    source: async (_machinery, { paths }) => ({
      kind: 'random',
      requests: [requestText({ method: 'GET', path: paths.discovery })],
    }),
  },
]

const signingLimit = (machinery: Machinery, server: { pid: number; port: number }): Contender =>
  httpContender(machinery, {
    name: 'Fastify that only signs',
    server,
    bodyStart: '{"access_token":"ey',
    source: () => ({ kind: 'random', requests: credentialsRequests('/token', {}) }),
  })

export const authorizationScenarios = (
  machinery: Machinery,
  issuers: readonly Issuer[],
  limit: { pid: number; port: number },
): readonly Scenario[] =>
  endpoints.map(({ name, title, bodyStart, source }) => {
    const contenders = issuers.map(issuer =>
      httpContender(machinery, {
        name: issuer.name,
        server: issuer.server,
        bodyStart,
        source: milliseconds => source(machinery, issuer, milliseconds),
      }),
    )
    const signs = name === 'authorization.client-credentials'
    return { name, title, contenders: signs ? [...contenders, signingLimit(machinery, limit)] : contenders }
  })
