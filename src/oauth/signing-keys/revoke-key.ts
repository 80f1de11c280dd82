// "This key has leaked" → it is gone at once: what it signed is refused, and the next key signs, whether or not every client knows it yet.
import { sql } from '../../db/sql.ts'
import { type KeyKeeper, maintainKeys, withKeysLocked } from './maintain-keys.ts'

/** @returns false if there is no such key. */
export const revokeKey = async (keeper: KeyKeeper, kid: string, now: Date): Promise<boolean> => {
  const revoked = await withKeysLocked(keeper, async database => {
    const gone = await database.first<{ algorithm: string; state: string }>(sql`
      delete from minaret.signing_keys where kid = ${kid} returning algorithm, state`)
    if (gone?.state === 'active')
      await database.run(sql`
        update minaret.signing_keys set state = 'active', activated_at = ${now}
        where algorithm = ${gone.algorithm} and state = 'next'`)
    return gone !== undefined
  })
  if (revoked) await maintainKeys(keeper, now)
  return revoked
}
