// The test key of the documentation: the same in every installation, created at startup, with all scopes over invented data.
import { keyHint } from '../access/api-key-format.ts'
import { dataScopes } from '../access/scopes.ts'
import { sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Not a secret: it only works in the sandbox. The last six characters are the checksum that every key has. */
export const publicTestKey = 'mk_test_MinaretSandboxPublicKeyForAnyone0SXxOg'

export const ensurePublicTestKey = async (database: Queryable): Promise<void> => {
  await database.run(sql`
    insert into minaret.api_keys (name, hint, key_hash, environment, scopes)
    values ('Public test key', ${keyHint(publicTestKey)}, ${sha256(publicTestKey)}, 'test', ${dataScopes})
    on conflict (key_hash) do update set scopes = excluded.scopes, revoked_at = null
    where (api_keys.scopes, api_keys.revoked_at) is distinct from (excluded.scopes, null)`)
}
