// A client of the owner → the groups that hold the rights of readers and writers exist, and writers may read.
import type pg from 'pg'
import { readerGroups, roleRefused, writerGroups } from './roles.ts'

interface Group {
  readonly name: string
  /** Inherits the rights of this one. */
  readonly within: string | undefined
}

const groups: readonly Group[] = [
  { name: readerGroups.public, within: undefined },
  { name: readerGroups.sandbox, within: undefined },
  { name: writerGroups.public, within: readerGroups.public },
  { name: writerGroups.sandbox, within: readerGroups.sandbox },
]

/** In PostgreSQL 15 a role inherits what its own attribute says, since 16 what each membership says. */
const statementsFor = ({ name, within }: Group, server: number): string[] => [
  `do $do$ begin create role ${name} nologin inherit; exception when duplicate_object or unique_violation then null; end $do$`,
  ...(within === undefined
    ? []
    : [`alter role ${name} inherit`, `grant ${within} to ${name}${server < 16 ? '' : ' with inherit true'}`]),
]

const isThere = async (client: pg.Client, { name, within }: Group): Promise<boolean> => {
  const { rows } = await client.query(
    `select case when to_regrole($1) is null or to_regrole($2) is null then false
       else pg_has_role(to_regrole($1)::oid, to_regrole($2)::oid, 'usage') end as there`,
    [name, within ?? name],
  )
  return rows[0].there
}

const serverOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as server")
  return rows[0].server
}

const ensureGroup = async (client: pg.Client, group: Group): Promise<void> => {
  for (let attempt = 0; !(await isThere(client, group)); attempt += 1) {
    const statements = statementsFor(group, await serverOf(client))
    try {
      for (const statement of statements) await client.query(statement)
    } catch (cause) {
      // Roles belong to the whole cluster: of two processes that change one at once, one gets an error, and both have it.
      if (attempt === 4) throw roleRefused(cause)
    }
  }
}

/** At every start: a dump of the database does not include roles. If they exist, nothing changes. */
export const ensureGroups = async (client: pg.Client): Promise<void> => {
  for (const group of groups) await ensureGroup(client, group)
}

/** What the first migration granted: a dump that was restored into a cluster without the roles has lost it. */
const schemasOf = { [readerGroups.public]: 'public', [readerGroups.sandbox]: 'sandbox' } as const

/** Readers find out from the change log that something changed; what changed they read through views of it. */
const ensureChanges = async (client: pg.Client, group: string, schema: string): Promise<void> => {
  const { rows } = await client.query(
    `select has_schema_privilege($1, 'changes', 'usage') and has_column_privilege($1, 'changes.log', 'xid', 'select')
       and has_table_privilege($1, $2, 'select') and has_table_privilege($1, $3, 'select') as usable`,
    [group, `changes.${schema}_up_lines`, `changes.${schema}_pc_lines`],
  )
  if (rows[0].usable) return
  await client.query(`grant usage on schema changes to ${group}`)
  await client.query(`grant select (xid, table_name, masjid_id, kind) on changes.log to ${group}`)
  await client.query(`grant select on changes.${schema}_up_lines, changes.${schema}_pc_lines to ${group}`)
}

/** After the migrations. Rights on tables follow when their structure is read. */
export const ensureUsage = async (client: pg.Client): Promise<void> => {
  for (const [group, schema] of Object.entries(schemasOf)) {
    const { rows } = await client.query(
      "select has_schema_privilege($1, $2, 'usage') and has_schema_privilege($1, 'extensions', 'usage') as usable",
      [group, schema],
    )
    if (!rows[0].usable) await client.query(`grant usage on schema ${schema}, extensions to ${group}`)
    await ensureChanges(client, group, schema)
  }
}
