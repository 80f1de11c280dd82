// A grant → the settings by which row-level security decides which rows it sees.
import type { Grant, MasjidReach } from '../access/grant.ts'
import type { Settings } from '../db/prepared-statements.ts'

const reach = (masjids: MasjidReach): string => (masjids === '*' ? '*' : `{${masjids.join()}}`)

const none: readonly string[] = []

export const settingsFor = (grant: Grant): Settings => {
  const isUser = grant.kind === 'user'
  return [
    ['minaret.user_id', isUser ? (grant.userId ?? '') : ''],
    ['minaret.masjids', reach(isUser ? none : grant.masjids)],
    ['minaret.own_masjids', reach(isUser ? none : grant.ownMasjids)],
    ['minaret.own_rows', grant.ownRows === true ? '1' : ''],
  ]
}
