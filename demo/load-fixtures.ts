/** Fixture rows become rows of a schema, in one transaction; rows that somebody else wrote are left alone. */
import type { Database, Queryable } from '../src/db/database.ts'
import { identifier, joinSql, type Sql, sql } from '../src/db/sql.ts'
import { highestFixtureId, lowestFixtureId } from './fixture-id.ts'
import { type FixtureRow, generateFixtures } from './generate-fixtures.ts'

export type FixtureTarget = {
  readonly schema: string
  readonly seed?: number
  /** The day all dates are counted from, YYYY-MM-DD. */
  readonly today: string
  /** Accounts to link to the demo's administrator and plain member. */
  readonly users?: { readonly admin?: string; readonly member?: string }
  readonly onProgress?: (table: string, rows: number) => void
}

export async function loadFixtures(database: Database, target: FixtureTarget): Promise<void> {
  const { tables, people } = generateFixtures(target)
  await database.transaction(async transaction => {
    for (const { name, rows } of tables) await retireRows(transaction, target.schema, { name, rows })
    for (const { name, rows } of tables) {
      await upsertRows(transaction, identifier(target.schema, name), rows)
      target.onProgress?.(name, rows.length)
    }
    for (const [role, user] of Object.entries(target.users ?? {})) {
      await linkUser(transaction, target.schema, { member: people[role as keyof typeof people], user })
    }
  })
}

/** A row that is there already is written only when it differs, so that change feeds stay quiet. */
export async function upsertRows(queryable: Queryable, table: Sql, rows: readonly FixtureRow[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).map(name => identifier(name))
  if (names.length === 0) return
  const columns = joinSql(names)
  const ours = joinSql(names.map(name => sql`stored.${name}`))
  const theirs = joinSql(names.map(name => sql`excluded.${name}`))
  await queryable.run(sql`
    insert into ${table} as stored (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)
    on conflict (id) do update set (${columns}, deleted_at) = row (${theirs}, null)
    where (${ours}, stored.deleted_at) is distinct from (${theirs}, null)`)
}

/** What must be given up by a row that is retired, since it must be unique even among deleted rows. */
const surrenders: Readonly<Record<string, Sql>> = {
  up_entities: sql`, registration_no = null`,
  up_masjids: sql`, slug = 'retired-' || id`,
}

type Table = { readonly name: string; readonly rows: readonly FixtureRow[] }

/** Rows of another seed are marked as deleted, never removed: somebody's own rows may refer to them. */
async function retireRows(queryable: Queryable, schema: string, { name, rows }: Table): Promise<void> {
  await queryable.run(sql`
    update ${identifier(schema, name)} set deleted_at = now() ${surrenders[name] ?? sql``}
    where id between ${lowestFixtureId} and ${highestFixtureId} and deleted_at is null
      and id <> all (${rows.map(row => row.id)}::uuid[])`)
}

async function linkUser(queryable: Queryable, schema: string, link: { member: string; user: string }): Promise<void> {
  const members = identifier(schema, 'ua_members')
  await queryable.run(sql`
    update ${members} set user_id = ${link.user}
    where id = ${link.member} and user_id is distinct from ${link.user}::uuid`)
}
