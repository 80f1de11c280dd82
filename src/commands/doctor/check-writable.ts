// Whether the database can be written to, and has every schema that its migrations made.
import { type Finding, fault, ok } from './finding.ts'
import type { Check, Subject } from './subject.ts'

interface Session {
  readonly standby: boolean
  readonly readOnly: boolean
  readonly database: string
  readonly role: string
  /** Of the schemas that migrations make. */
  readonly missing: readonly string[]
}

const readSession = async ({ client }: Subject): Promise<Session> => {
  const { rows } = await client.query<Session>(`
    select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly",
      quote_ident(current_database()) as database, quote_ident(current_user) as role,
      array(select name from unnest(array['public', 'sandbox', 'changes', 'extensions']) as name
        where to_regnamespace(name) is null order by name) as missing`)
  return rows[0] as Session
}

const judge = ({ standby, readOnly, database, role }: Session): Finding => {
  if (standby)
    return fault(
      'writable',
      'DATABASE_URL leads to a standby, which cannot be written to.',
      'Set DATABASE_URL to the primary, or to all hosts; standbys belong in DATABASE_READ_URL.',
    )
  return readOnly
    ? fault(
        'writable',
        'The database only lets this role read: migrations, sign-ins and mutations would fail.',
        `Run: alter database ${database} reset default_transaction_read_only; alter role ${role} reset default_transaction_read_only.`,
      )
    : ok('writable', 'The database can be written to.')
}

export const checkWritable: Check = {
  name: 'writable',
  look: async subject => {
    const session = await readSession(subject)
    const { missing } = session
    if (!subject.isMigrated || missing.length === 0) return [judge(session)]
    const schemas = `${missing.length === 1 ? 'The schema' : 'The schemas'} ${missing.join(', ')}`
    const found = `${schemas} cannot be found, although migrations have run: somebody has dropped or renamed something.`
    return [judge(session), fault('schemas', found, 'Restore the last backup (bin/minaret restore).')]
  },
}
