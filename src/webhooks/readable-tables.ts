// A model and a grant → the tables whose changes an app may be told of.
import type { Grant, MasjidReach } from '../access/grant.ts'
import type { Model, Table } from '../catalog/model.ts'

/** The sandbox has no triggers: its rows only change with its renewals, which log themselves. */
const isFollowed = ({ kind, logged, schema }: Table): boolean => kind === 'table' && (logged || schema === 'sandbox')

export const mayRead = ({ scopes }: Table, grant: Grant): boolean =>
  scopes.every(scope => (grant.scopes as ReadonlySet<string>).has(scope))

/** In the order of the model, which is by name. */
export const readableTables = ({ tables }: Model, grant: Grant): Table[] =>
  [...tables.values()].filter(table => isFollowed(table) && mayRead(table, grant))

/** As the change log names it. */
export const loggedName = ({ schema, relation }: Table): string => `${schema}.${relation}`

export const reaches = (masjids: MasjidReach, masjid: string | null): boolean =>
  masjids === '*' || (masjid !== null && masjids.includes(masjid))

/** The people of the sandbox are invented. */
const isAboutPeople = ({ personal, schema }: Table): boolean => personal !== undefined && schema !== 'sandbox'

/** Of people an app is told at its own masjids alone: elsewhere an event would tell of those, too, who did not agree to sharing. */
type Hearing = 'everywhere' | 'reached' | 'own'

/** At which masjids an app may be told of changes of a table: all, those that it reaches, or of these its own. */
export const hearingOf = (table: Table): Hearing => {
  if (isAboutPeople(table)) return 'own'
  return table.rowSecurity ? 'reached' : 'everywhere'
}

export const mayHear = (table: Table, { masjids, ownMasjids }: Grant, masjid: string | null): boolean => {
  const hearing = hearingOf(table)
  if (hearing === 'everywhere') return true
  return reaches(masjids, masjid) && (hearing === 'reached' || reaches(ownMasjids, masjid))
}
