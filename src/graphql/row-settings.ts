// A grant → the settings by which row-level security decides which rows it sees.
import type { Grant, MasjidReach } from '../access/grant.ts'
import type { Plan } from './plan/plan.ts'

export type Settings = readonly (readonly [name: string, value: string])[]

const reach = (masjids: MasjidReach): string => (masjids === '*' ? '*' : `{${masjids.join()}}`)

const none: readonly string[] = []

/** Undefined where no table of the plan needs them: the bare statement is then twice as fast. */
export const settingsFor = (plan: Plan, grant: Grant): Settings | undefined => {
  if (![...plan.tables].some(table => table.rowSecurity)) return undefined
  const isUser = grant.kind === 'user'
  return [
    ['minaret.user_id', isUser ? (grant.userId ?? '') : ''],
    ['minaret.masjids', reach(isUser ? none : grant.masjids)],
    ['minaret.own_masjids', reach(isUser ? none : grant.ownMasjids)],
  ]
}
