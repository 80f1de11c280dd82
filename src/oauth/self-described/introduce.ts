// A client_id that is an address → its app, known or fetched: an app that nobody registered introduces itself.

import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../base/ip-address.ts'
import type { Database } from '../../db/database.ts'
import type { Dial } from '../../outbound/guarded-fetch.ts'
import type { Client } from '../clients/client.ts'
import type { OauthLimits } from '../limits.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { readMetadataAddress } from './metadata-address.ts'
import { storeDescribed } from './store-described.ts'

export interface IntroduceParts {
  readonly database: Database
  readonly limits: Pick<OauthLimits, 'metadataPerHost' | 'metadataPerAddress'>
  readonly clock: Clock
  /** Undefined: the public internet only. */
  readonly dial: Dial | undefined
  readonly find: (clientId: string) => Promise<Client | undefined>
}

/** @throws {Fault} if the document cannot be read, or breaks a rule. Undefined for any other client_id. */
export type Introduce = (clientId: string, address: string | undefined) => Promise<Client | undefined>

/** Nothing needs to be fetched: it may not be used, or its document was read lately. */
const isSettled = (client: Client | undefined, clock: Clock): boolean =>
  client !== undefined &&
  (client.state !== 'approved' || (client.freshUntil !== null && client.freshUntil > clock.now()))

export const createIntroduce = ({ database, limits, clock, dial, find }: IntroduceParts): Introduce => {
  /** One request for a document at a time: those who ask meanwhile wait for it. */
  const underway = new Map<string, Promise<void>>()
  const renew = async (clientId: string): Promise<void> => {
    const at = readMetadataAddress(clientId)
    if (at === undefined) return
    // Another request may have stored it since this one looked.
    const known = await find(clientId)
    if (isSettled(known, clock)) return
    // Counted apart: strangers who ask for documents that a host does not have keep none of its known apps from going on.
    limits.metadataPerHost.take(known === undefined ? at.host : `known ${at.host}`)
    await storeDescribed(database, at, await fetchMetadata(at, dial))
  }
  return async (clientId, address) => {
    const known = await find(clientId)
    if (isSettled(known, clock)) return known
    if (readMetadataAddress(clientId) === undefined) return known
    const waiting = underway.get(clientId)
    if (waiting === undefined) limits.metadataPerAddress.take(networkOf(address))
    const renewing = waiting ?? renew(clientId).finally(() => underway.delete(clientId))
    underway.set(clientId, renewing)
    await renewing
    return find(clientId)
  }
}
