// Sealed values among those that are kept to take an account back → sealed with the new secret.

import { SECOND_FACTORS_PURPOSE, totpName } from '../../accounts/factors/sealing.ts'
import { deriveSecrets, type Secrets } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { WEBHOOKS_PURPOSE } from '../../webhooks/secrets.ts'
import type { SealAgain } from './seal-again.ts'

type Values = Readonly<Record<string, unknown>>

interface Act {
  readonly id: string
  readonly table_name: string
  readonly key: Values
  readonly before: Values | null
  readonly after: Values | null
  readonly held: Values | null
}

interface SealedValues {
  readonly columns: readonly string[]
  readonly purpose: string
  /** What they are sealed for, by the values of the row and its key. */
  readonly name: (row: Values) => string
}

const sealedValues: Readonly<Record<string, SealedValues>> = {
  'minaret.totp_factors': {
    columns: ['secret', 'pending_secret'],
    purpose: SECOND_FACTORS_PURPOSE,
    name: row => totpName(String(row.user_id)),
  },
  'minaret.webhook_secrets': {
    columns: ['sealed'],
    purpose: WEBHOOKS_PURPOSE,
    name: row => String(row.endpoint_id),
  },
}

/** As PostgreSQL writes bytes in JSON: `\x0a…`. */
const HEX = /^\\x([\da-f]+)$/

export const resealActs = async (transaction: Queryable, secrets: Secrets, again: SealAgain): Promise<void> => {
  const acts = await transaction.query<Act>(sql`
    select id::text, table_name, key, before, after, held from minaret.account_acts
    where table_name = any (${Object.keys(sealedValues)}) for update`)
  for (const { id, table_name, key, before, after, held } of acts) {
    const { columns, purpose, name } = sealedValues[table_name] as SealedValues
    const secret = deriveSecrets(secrets, purpose)
    const inside = (values: Values | null): Values | null => {
      if (values === null) return null
      const changed = columns.flatMap(column => {
        const [, hex] = HEX.exec(String(values[column])) ?? []
        const sealed = hex && again(Buffer.from(hex, 'hex'), { name: name({ ...values, ...key }), secret })
        return sealed ? [[column, `\\x${sealed.toString('hex')}`] as const] : []
      })
      return { ...values, ...Object.fromEntries(changed) }
    }
    const json = (values: Values | null) => (values === null ? null : JSON.stringify(inside(values)))
    await transaction.run(sql`
      update minaret.account_acts set before = ${json(before)}::jsonb, after = ${json(after)}::jsonb, held = ${json(held)}::jsonb
      where id = ${id}`)
  }
}
