// The change log: whether tables are in it, and whether event triggers log changes of structure in their own transaction.
import { createEventTriggers, eventTriggers } from './event-triggers.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const CONSEQUENCE =
  'everything works, but no answers are kept in memory, and changes of structure are found by asking twice a second'

const beforeTheMigrations = async ({ client }: Subject): Promise<Finding> => {
  const { rows } = await client.query<{ role: string; superuser: boolean }>(
    'select rolname as role, rolsuper as superuser from pg_roles where rolname = current_user',
  )
  const { role = '', superuser = false } = rows[0] ?? {}
  return superuser
    ? ok('change-log', `${role} can create event triggers.`)
    : warning(
        'change-log',
        `${role} cannot create event triggers, as it is not a superuser: ${CONSEQUENCE}.`,
        'If you want answers from memory, run this again after the first start: it prints what a superuser runs once.',
      )
}

/** Not before the first start, and not before an upgrade from a version without it. */
const isThere = async ({ client, isMigrated }: Subject): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('changes.history') is not null and to_regprocedure('changes.traced_tables()') is not null as there",
  )
  return isMigrated && rows[0]?.there === true
}

const missingTriggers = async ({ client }: Subject): Promise<string[]> => {
  const { rows } = await client.query<{ evtname: string }>(
    "select evtname from pg_event_trigger where evtenabled <> 'D' and evtname = any ($1)",
    [Object.keys(eventTriggers)],
  )
  return Object.keys(eventTriggers).filter(name => !rows.some(row => row.evtname === name))
}

/** A service that has run has given the tables their triggers. */
const isAnythingLogged = async ({ client }: Subject): Promise<boolean> => {
  const { rows } = await client.query<{ logged: boolean }>(`
    select not exists (select from changes.history) or exists (select from changes.traced_tables()) as logged`)
  return rows[0]?.logged === true
}

export const checkChangeLog: Check = {
  name: 'change-log',
  look: async subject => {
    if (!(await isThere(subject))) return [await beforeTheMigrations(subject)]
    if (!(await isAnythingLogged(subject)))
      return [
        fault(
          'change-log',
          'No change of any table is logged: subscriptions and webhooks are told of nothing.',
          'Start the service, which creates the triggers of the log; if it cannot, its log says why.',
        ),
      ]
    const missing = await missingTriggers(subject)
    return [
      missing.length === 0
        ? ok('change-log', 'Changes of data and structure are logged.')
        : warning(
            'change-log',
            `Changes of data are logged, but event triggers are missing: ${CONSEQUENCE}.`,
            `If you want answers from memory, run in this database, as a superuser: ${createEventTriggers(missing).join('; ')};`,
          ),
    ]
  },
}
