// The Authorization header of a request to the service → its grant.
import { bearerOf, likelyBearer } from './bearer.ts'
import type { Access } from './create-access.ts'
import type { Grant } from './grant.ts'
import { namingMetadata } from './resource-metadata.ts'

export interface Credentials {
  /** The grant of a cached, valid credential, synchronously; if undefined, call `authenticate`. */
  recognise(authorization: string | undefined): Grant | undefined
  /** @throws {Fault} with status 401 if the credential is missing or invalid. */
  authenticate(authorization: string | undefined): Promise<Grant>
}

/** @param baseUrl the base URL of the metadata that a refusal points to */
export const createLiveCredentials = (access: Access, baseUrl: string): Credentials => ({
  recognise: authorization => {
    const bearer = likelyBearer(authorization)
    return bearer === undefined ? undefined : access.recognise(bearer)
  },
  authenticate: authorization =>
    namingMetadata(baseUrl, '/v1/graphql', async () => access.authenticate(bearerOf(authorization))),
})
