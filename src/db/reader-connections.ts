// The owner's database and its replicas → connections of the read-only role, for GraphQL reads.
import { type Connection, credentialsOf, fromUrl, withCredentials } from './connection.ts'
import { type ReaderGroup, readerConnection } from './roles.ts'
import type { Store } from './store.ts'

/** Roles are created on the primary and replicated, so replicas have the same name and password. */
export const readerConnections = async (
  { owner, secret }: Store,
  replicas: readonly string[],
  group: ReaderGroup,
): Promise<{ readonly primary: Connection; readonly replicas: readonly Connection[] }> => {
  const primary = await readerConnection(owner, group, secret)
  const credentials = credentialsOf(primary)
  return { primary, replicas: replicas.map(url => withCredentials(fromUrl(url), credentials)) }
}
