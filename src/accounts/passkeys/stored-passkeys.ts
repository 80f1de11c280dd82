// The passkeys of an account: listed, found, named and removed.
import type { AuthenticatorTransport } from '@simplewebauthn/server'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface Passkey {
  readonly id: string
  readonly userId: string
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: AuthenticatorTransport[]
  readonly backedUp: boolean
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const columns: Sql = sql`id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports, backed_up as "backedUp", name, created_at as "createdAt", last_used_at as "lastUsedAt"`

export const listPasskeys = (database: Queryable, userId: string): Promise<Passkey[]> =>
  database.query<Passkey>(sql`
    select ${columns} from minaret.passkeys where user_id = ${userId} order by created_at, id`)

/** Not of a disabled account. */
export const findPasskey = (database: Queryable, credentialId: string): Promise<Passkey | undefined> =>
  database.first<Passkey>(sql`
    select ${columns} from minaret.passkeys
    where credential_id = ${credentialId}
      and exists (select from minaret.users where users.id = passkeys.user_id and disabled_at is null)`)

/** Only one's own. False if there is no such passkey. */
export const renamePasskey = async (
  database: Queryable,
  { userId, id, name }: Pick<Passkey, 'userId' | 'id' | 'name'>,
): Promise<boolean> => {
  const renamed = await database.run(sql`
    update minaret.passkeys set name = ${name} where id = ${id} and user_id = ${userId}`)
  return renamed > 0
}
