// The Authorization header of a request to the service → the grant it stands for.
import { bearerOf, likelyBearer } from './bearer.ts'
import type { Access } from './create-access.ts'
import type { Grant } from './grant.ts'
import { namingMetadata } from './resource-metadata.ts'

export interface Credentials {
  /** The grant of a credential that is known to be good, at once; undefined where `authenticate` must be asked. */
  recognise(authorization: string | undefined): Grant | undefined
  /** @throws {Fault} with status 401 for a credential that is missing or no good. */
  authenticate(authorization: string | undefined): Promise<Grant>
}

/** @param baseUrl where the metadata is that a refusal points to */
export const createLiveCredentials = (access: Access, baseUrl: string): Credentials => ({
  recognise: authorization => {
    const bearer = likelyBearer(authorization)
    return bearer === undefined ? undefined : access.recognise(bearer)
  },
  authenticate: authorization =>
    namingMetadata(baseUrl, '/v1/graphql', async () => access.authenticate(bearerOf(authorization))),
})
