// The rights of the owner's role: whether migrations can run, and the roles that read and write can be created.
import { type OwnerRights, readForeign, readOwnerRights, roleGroups } from '../../db/owner-rights.ts'
import { loginNames } from '../../db/roles.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const asSuperuser = (statements: readonly string[]): string => `As a superuser, run: ${statements.join('; ')};`

/** After a restore by another role, for instance. */
const checkOwnership = async ({ client }: Subject): Promise<Finding[]> => {
  const foreign = await readForeign(client)
  if (foreign === undefined) return []
  const { count, name, statements, advice } = foreign
  const remedies = [
    ...(statements.length === 0 ? [] : [asSuperuser(statements)]),
    ...(advice === undefined ? [] : [advice]),
  ]
  return [
    fault(
      'ownership',
      `${count} tables, views or sequences belong to another role, ${name} for one: migrations cannot alter them.`,
      remedies.join(' '),
    ),
  ]
}

const whatIsMissing = (missing: readonly string[]): string =>
  missing.length === 0 ? 'the first start needs to' : `${missing.join(', ')} do not exist`

/** Roles are created at the first start, and when the secret changes; at all others they are only used. */
const checkRoles = async (
  { client, isMigrated }: Subject,
  { role, roles }: OwnerRights,
  names: readonly string[],
): Promise<Finding> => {
  if (roles.length === 0) return ok('roles', `${role} can create roles.`)
  const { rows } = await client.query<{ missing: string[] }>(
    'select coalesce(array_agg(name), $2::text[]) as missing from unnest($1::text[]) as name where to_regrole(quote_ident(name)) is null',
    [names, []],
  )
  const missing = rows[0]?.missing ?? []
  const found = `${role} cannot create roles, or add them to the groups that read and write`
  return missing.length === 0 && isMigrated
    ? warning('roles', `${found}. Those needed now exist; a new secret would need others.`, asSuperuser(roles))
    : fault('roles', `${found}, and ${whatIsMissing(missing)}.`, asSuperuser(roles))
}

export const checkRights: Check = {
  name: 'rights',
  look: async subject => {
    const names = [...roleGroups, ...loginNames(subject.store.secret)]
    const rights = await readOwnerRights(subject.client, names)
    const { role, creating } = rights
    const found =
      creating.length === 0
        ? ok('rights', `${role} can create tables, schemas and extensions.`)
        : fault('rights', `${role} lacks rights that migrations need.`, asSuperuser(creating))
    return [found, await checkRoles(subject, rights, names), ...(await checkOwnership(subject))]
  },
}
