// A refused credential → the same refusal with more in its challenge, such as the address of the resource metadata.
import { Fault } from '../base/fault.ts'
import { metadataAddress, type Resource } from './resources.ts'

export const withChallenge = (fault: Fault, added: string): Fault =>
  new Fault({
    code: fault.code,
    status: fault.status,
    message: fault.message,
    detail: fault.detail,
    cause: fault.cause,
    headers: { ...fault.headers, 'www-authenticate': `${fault.headers['www-authenticate'] ?? 'Bearer'}, ${added}` },
  })

/** Adds to the challenge of a 401. */
export const challenging = async <T>(added: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Fault && error.status === 401 ? withChallenge(error, added) : error
  }
}

/** RFC 9728 section 5.1: lets a program that knows only this address find out where to get a token. */
export const namingMetadata = <T>(
  baseUrl: string,
  path: '' | '/v1/graphql' | Resource,
  work: () => Promise<T>,
): Promise<T> => challenging(`resource_metadata="${metadataAddress(baseUrl, path)}"`, work)
