// The rights of the owner's role: whether migrations can run, and the roles that read and write can be created.
import { loginNames, readerGroups, writerGroups } from '../../db/roles.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

interface Rights {
  readonly role: string
  readonly database: string
  readonly superuser: boolean
  readonly createsRoles: boolean
  readonly createsSchemas: boolean
  readonly createsInPublic: boolean
}

const readRights = async ({ client }: Subject): Promise<Rights> => {
  const { rows } = await client.query<Rights>(`
    select current_user as role, current_database() as database, rolsuper as superuser, rolcreaterole as "createsRoles",
      has_database_privilege(current_database(), 'create') as "createsSchemas",
      has_schema_privilege('public', 'create') as "createsInPublic"
    from pg_roles where rolname = current_user`)
  return rows[0] as Rights
}

/** After a restore by another role, for instance. */
const checkOwnership = async ({ client }: Subject, { role }: Rights): Promise<Finding[]> => {
  const { rows } = await client.query<{ count: number; name: string | null }>(`
    select count(*)::int as count, min(c.oid::regclass::text) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('minaret', 'public', 'sandbox', 'changes') and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not pg_has_role(c.relowner, 'usage')`)
  const { count = 0, name } = rows[0] ?? {}
  if (count === 0) return []
  return [
    fault(
      'ownership',
      `${count} tables, views or sequences belong to another role, ${name} for one: migrations cannot alter them.`,
      `As a superuser, run in this database: reassign owned by THEIR_OWNER to ${role}.`,
    ),
  ]
}

const groups = [...Object.values(readerGroups), ...Object.values(writerGroups)]

/** Roles are created at the first start, and when the secret changes; at all others they are only used. */
const checkRoles = async ({ client, store }: Subject, rights: Rights): Promise<Finding> => {
  const names = [...groups, ...loginNames(store.secret)]
  const { rows } = await client.query<{ missing: string[] }>(
    'select coalesce(array_agg(name), $2::text[]) as missing from unnest($1::text[]) as name where to_regrole(quote_ident(name)) is null',
    [names, []],
  )
  const missing = rows[0]?.missing ?? []
  if (rights.superuser || rights.createsRoles) return ok('roles', `${rights.role} can create roles.`)
  const remedy = `As a superuser, run: alter role ${rights.role} createrole.`
  return missing.length === 0
    ? warning(
        'roles',
        `${rights.role} cannot create roles. Those needed now exist; a new secret would need others.`,
        remedy,
      )
    : fault('roles', `${rights.role} cannot create roles, and ${missing.join(', ')} do not exist.`, remedy)
}

export const checkRights: Check = {
  name: 'rights',
  look: async subject => {
    const rights = await readRights(subject)
    const { role, database, createsSchemas, createsInPublic } = rights
    const lacking = [
      ...(createsSchemas ? [] : [`grant create on database ${database} to ${role}`]),
      ...(createsInPublic ? [] : [`grant create on schema public to ${role}`]),
    ]
    const creating =
      lacking.length === 0
        ? ok('rights', `${role} can create tables, schemas and extensions.`)
        : fault('rights', `${role} lacks rights that migrations need.`, `As a superuser, run: ${lacking.join('; ')}.`)
    return [creating, await checkRoles(subject, rights), ...(await checkOwnership(subject, rights))]
  },
}
