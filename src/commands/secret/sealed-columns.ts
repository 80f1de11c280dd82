// Everything in the database that is sealed with the installation's secret. A test compares it with the schema.
import { SECOND_FACTORS_PURPOSE } from '../../accounts/factors/sealing.ts'
import type { Queryable } from '../../db/database.ts'
import { rawSql, type Sql, sql } from '../../db/sql.ts'
import { SIGNING_KEYS_PURPOSE } from '../../oauth/signing-keys/seal.ts'
import { WEBHOOKS_PURPOSE } from '../../webhooks/secrets.ts'

export interface SealedColumn {
  /** In the words of an operator. */
  readonly what: string
  readonly table: string
  readonly column: string
  readonly key: string
  readonly keyType: 'text' | 'uuid'
  /** What the bytes are sealed for, in SQL. */
  readonly name: string
  /** What the sealing secret is derived for. */
  readonly purpose: string
}

const totp = { table: 'totp_factors', key: 'user_id', keyType: 'uuid', name: "'totp ' || user_id" } as const

export const sealedColumns: readonly SealedColumn[] = [
  {
    what: 'signing keys',
    table: 'signing_keys',
    column: 'private_key_sealed',
    key: 'kid',
    keyType: 'text',
    name: 'kid',
    purpose: SIGNING_KEYS_PURPOSE,
  },
  { what: 'authenticator apps', ...totp, column: 'secret', purpose: SECOND_FACTORS_PURPOSE },
  { what: 'authenticator apps being set up', ...totp, column: 'pending_secret', purpose: SECOND_FACTORS_PURPOSE },
  {
    what: 'keys of recovery codes',
    table: 'recovery_keys',
    column: 'sealed',
    key: 'id',
    keyType: 'uuid',
    name: "'recovery key ' || id",
    purpose: SECOND_FACTORS_PURPOSE,
  },
  {
    what: 'webhook secrets',
    table: 'webhook_secrets',
    column: 'sealed',
    key: 'id',
    keyType: 'uuid',
    name: 'endpoint_id::text',
    purpose: WEBHOOKS_PURPOSE,
  },
]

export interface SealedRow {
  readonly key: string
  readonly name: string
  readonly sealed: Buffer
}

/** The statement for some of them; `ending` is what follows. */
export const sealedRows = ({ table, column, key, name }: SealedColumn, ending: string): Sql =>
  rawSql(`select ${key}::text as key, ${name} as name, ${column} as sealed from minaret.${table}
    where ${column} is not null ${ending}`)

export const writeSealed = async (
  database: Queryable,
  { table, column, key, keyType }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<void> => {
  const changed = rawSql(`update minaret.${table} t set ${column} = changed.sealed`)
  const where = rawSql(`where t.${key} = changed.key::${keyType}`)
  await database.run(sql`
    ${changed} from unnest(${rows.map(row => row.key)}::text[], ${rows.map(row => row.sealed)}::bytea[]) changed (key, sealed) ${where}`)
}
