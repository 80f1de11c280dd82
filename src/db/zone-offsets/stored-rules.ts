// Which version of the time zone rules zone_offsets was filled from, and which this runtime has.
import type pg from 'pg'
import { isOlderVersion } from '../../base/is-older-version.ts'
import type { DataSchema } from '../data-schema.ts'

/** Increase it when the same rules lead to other rows. */
const REVISION = 1

/** `2026c.1` */
export const runtimeRules = (): string => `${process.versions.tz ?? 0}.${REVISION}`

/** The newest; undefined until a service has filled it in. */
export const readStoredRules = async (client: pg.Client, schema: DataSchema): Promise<string | undefined> => {
  const { rows } = await client.query<{ rules: string }>(
    `select distinct rules from ${schema}.zone_offsets where rules is not null`,
  )
  return (
    rows.map(({ rules }) => rules).reduce((one, other) => (isOlderVersion(one, other) ? other : one), '') || undefined
  )
}
