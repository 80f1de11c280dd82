// The signing keys and their states, for operators; never the private keys.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export interface SigningKeyLine {
  readonly kid: string
  readonly algorithm: string
  readonly state: 'next' | 'active' | 'retired'
  readonly createdAt: Date
  readonly activatedAt: Date | null
  readonly retiredAt: Date | null
}

const MOST_LISTED = 100

export const listKeys = (database: Queryable): Promise<SigningKeyLine[]> =>
  database.query<SigningKeyLine>(sql`
    select kid, algorithm, state, created_at as "createdAt", activated_at as "activatedAt", retired_at as "retiredAt"
    from minaret.signing_keys order by algorithm, created_at desc limit ${MOST_LISTED}`)
