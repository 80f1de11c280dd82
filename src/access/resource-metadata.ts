// A refused credential → the same refusal with the address of the resource metadata (RFC 9728 section 5.1).
import { Fault } from '../base/fault.ts'
import { metadataAddress, type Resource } from './resources.ts'

const withMetadata = (fault: Fault, challenge: string, address: string): Fault =>
  new Fault({
    code: fault.code,
    status: fault.status,
    message: fault.message,
    detail: fault.detail,
    cause: fault.cause,
    headers: { ...fault.headers, 'www-authenticate': `${challenge}, resource_metadata="${address}"` },
  })

/** Lets a program that knows only this address find out where to get a token. */
export const namingMetadata = async <T>(
  baseUrl: string,
  path: '' | '/v1/graphql' | Resource,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== 401) throw error
    const challenge = error.headers['www-authenticate'] ?? 'Bearer'
    throw withMetadata(error, challenge, metadataAddress(baseUrl, path))
  }
}
