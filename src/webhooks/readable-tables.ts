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
