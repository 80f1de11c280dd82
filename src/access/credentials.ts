// A request to the service → the grant of its credential.
import { credentialOf, likelyBearer, type PresentedCredential, provenBefore } from './bearer.ts'
import type { Access } from './create-access.ts'
import type { PresentingRequest } from './dpop/proof.ts'
import { insufficientUserAuthentication } from './faults.ts'
import type { Grant } from './grant.ts'
import { namingMetadata } from './resource-metadata.ts'
import { MCP_PATH } from './resources.ts'
import type { Scope } from './scopes.ts'

export interface Credentials {
  /** The grant of a cached, valid credential, synchronously; if undefined, call `authenticate`. */
  recognise(authorization: string | undefined): Grant | undefined
  /** @throws {Fault} with status 401 if the credential is missing or invalid. */
  authenticate(request: PresentingRequest): Promise<Grant>
  /** As `authenticate`, for a connection that is still open: the key of its token was proven when it was opened. */
  authenticateAgain(authorization: string | undefined): Promise<Grant>
}

const isTooWeak = ({ kind, acr, scopes }: Grant, strongScopes: readonly Scope[]): boolean =>
  kind === 'user' && acr === undefined && strongScopes.some(scope => scopes.has(scope))

/** @throws {Fault} `insufficient_user_authentication` */
const requireStrength = (grant: Grant, strongScopes: readonly Scope[]): Grant => {
  if (isTooWeak(grant, strongScopes))
    throw insufficientUserAuthentication(
      'aal2',
      `The person must sign in with a second factor: a token with ${strongScopes.filter(scope => grant.scopes.has(scope)).join(', ')} needs it.`,
    )
  return grant
}

export interface LiveCredentialsInput {
  readonly access: Access
  /** The base URL of the metadata that a refusal points to. */
  readonly baseUrl: string
  /** A person's token with one of these works only after a sign-in with a second factor. */
  readonly strongScopes: readonly Scope[]
}

interface Resources {
  readonly recognise: (bearer: string) => Grant | undefined
  readonly authenticate: (presented: PresentedCredential) => Promise<Grant>
  readonly path: '/v1/graphql' | typeof MCP_PATH
}

const credentialsFor = (
  { baseUrl, strongScopes }: LiveCredentialsInput,
  { recognise, authenticate, path }: Resources,
): Credentials => {
  const grantOf = (present: () => PresentedCredential): Promise<Grant> =>
    namingMetadata(baseUrl, path, async () => requireStrength(await authenticate(present()), strongScopes))
  return {
    recognise: authorization => {
      const bearer = likelyBearer(authorization)
      const grant = bearer === undefined ? undefined : recognise(bearer)
      return grant === undefined || isTooWeak(grant, strongScopes) ? undefined : grant
    },
    authenticate: request => grantOf(() => credentialOf(request, baseUrl)),
    authenticateAgain: authorization => grantOf(() => provenBefore(authorization)),
  }
}

export const createLiveCredentials = (input: LiveCredentialsInput): Credentials => {
  const { recognise, authenticate } = input.access
  return credentialsFor(input, {
    recognise,
    authenticate: ({ text, possession }) => authenticate(text, 'live', possession),
    path: '/v1/graphql',
  })
}

/** For assistants: tokens with an audience of their own. */
export const createMcpCredentials = (input: LiveCredentialsInput): Credentials => {
  const { recogniseMcp, authenticateMcp } = input.access
  return credentialsFor(input, {
    recognise: recogniseMcp,
    authenticate: ({ text, possession }) => authenticateMcp(text, possession),
    path: MCP_PATH,
  })
}
