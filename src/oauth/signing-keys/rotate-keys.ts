// "Rotate now" → the next keys become active immediately, or as soon as clients can know them.
import { sql } from '../../db/sql.ts'
import { KEY_PUBLISHED_BEFORE_USE_SECONDS } from '../lifetimes.ts'
import { type KeyKeeper, maintainKeys, withKeysLocked } from './maintain-keys.ts'

export interface Rotation {
  /** When the next keys start signing: now, or once every cache that honours `max-age` has them. */
  readonly takesEffectAt: Date
}

export const rotateKeys = async (keeper: KeyKeeper, now: Date): Promise<Rotation> => {
  await maintainKeys(keeper, now)
  const takesEffectAt = await withKeysLocked(keeper, async database => {
    const rows = await database.query<{ turn: Date }>(sql`
      update minaret.signing_keys
      set activated_at = greatest(${now}::timestamptz, created_at + make_interval(secs => ${KEY_PUBLISHED_BEFORE_USE_SECONDS}))
      where state = 'next' returning activated_at as turn`)
    return new Date(Math.max(...rows.map(({ turn }) => turn.getTime())))
  })
  if (takesEffectAt <= now) await maintainKeys(keeper, now)
  return { takesEffectAt }
}
