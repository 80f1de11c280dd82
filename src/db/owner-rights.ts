// A client of the owner → the rights it lacks, as the SQL that grants them. Doctor looks before a start, `explainRefusal` after it failed.
import type pg from 'pg'
import { readerGroups, writerGroups } from './roles.ts'

export interface OwnerRights {
  /** Quoted where that is needed, as the statements have them. */
  readonly role: string
  readonly database: string
  /** What it lacks to create tables, schemas and extensions. */
  readonly creating: readonly string[]
  /** What it lacks to create the roles that read and write, and to make them members of their groups. */
  readonly roles: readonly string[]
}

interface Row {
  readonly role: string
  readonly database: string
  readonly superuser: boolean
  readonly createsRoles: boolean
  readonly createsSchemas: boolean
  readonly createsInPublic: boolean
  /** Those that another role created. Before PostgreSQL 16, `createrole` is enough to alter them. */
  readonly closed: string[]
}

/** All of them. */
export const roleGroups: readonly string[] = [...Object.values(readerGroups), ...Object.values(writerGroups)]

/** @param names roles that it creates, or gives members */
export const readOwnerRights = async (client: pg.Client, names = roleGroups): Promise<OwnerRights> => {
  const { rows } = await client.query<Row>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database, rolsuper as superuser,
      rolcreaterole as "createsRoles", has_database_privilege(current_database(), 'create') as "createsSchemas",
      has_schema_privilege('public', 'create') as "createsInPublic",
      array(select quote_ident(rolname) from pg_roles where rolname = any($1) and current_setting('server_version_num')::int >= 160000
        and not pg_has_role(oid, 'member with admin option') order by rolname) as closed
    from pg_roles where rolname = current_user`,
    [names],
  )
  const { role, database, superuser, createsRoles, createsSchemas, createsInPublic, closed } = rows[0] as Row
  return {
    role,
    database,
    creating: [
      ...(createsSchemas ? [] : [`grant create on database ${database} to ${role}`]),
      ...(createsInPublic ? [] : [`grant create on schema public to ${role}`]),
    ],
    roles: [
      ...(superuser || createsRoles ? [] : [`alter role ${role} createrole`]),
      ...(superuser || closed.length === 0 ? [] : [`grant ${closed.join(', ')} to ${role} with admin option`]),
    ],
  }
}

/** What belongs to other roles than this one: after a restore, or a first start, by another role. */
export interface Foreign {
  readonly count: number
  /** One of them. */
  readonly name: string
  readonly statements: readonly string[]
  /** What no statement mends: PostgreSQL does not hand over all that the cluster's first role owns. */
  readonly advice: string | undefined
}

interface Owned {
  readonly count: number
  readonly name: string | null
  readonly owners: readonly string[]
  readonly first: string | null
  readonly role: string
}

export const readForeign = async (client: pg.Client): Promise<Foreign | undefined> => {
  const { rows } = await client.query<Owned>(`
    select count(*)::int as count, min(c.oid::regclass::text) as name, quote_ident(current_user) as role,
      coalesce(array_agg(distinct quote_ident(pg_get_userbyid(relowner))) filter (where relowner <> 10), '{}') as owners,
      min(pg_get_userbyid(relowner)) filter (where relowner = 10) as first
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('minaret', 'public', 'sandbox', 'changes') and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not pg_has_role(c.relowner, 'usage')`)
  const { count, name, owners, first, role } = rows[0] as Owned
  if (name === null) return undefined
  return {
    count,
    name,
    statements: owners.map(owner => `reassign owned by ${owner} to ${role}`),
    advice:
      first === null
        ? undefined
        : `Tables belong to ${first}, which PostgreSQL hands over one by one only: run bin/minaret backup as ${first}, and bin/minaret restore as ${role} into an empty database.`,
  }
}
