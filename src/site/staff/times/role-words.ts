// What a column is, in words.
import { type Role, timeRoleOf } from '../../../timetables/read/roles.ts'
import type { View } from '../../frame/view.ts'
import { fillText } from '../../pieces/fill.ts'

export const roleWords = ({ texts: { staffTimes, staff } }: View, role: Role): string => {
  const time = timeRoleOf(role)
  if (time === undefined) return staffTimes.roles[role as keyof typeof staffTimes.roles]
  const { prayer, session } = time
  const kind = staffTimes.kinds[time.kind]
  return fillText(session === 1 && prayer !== 'jumuah' ? staffTimes.roleTime : staffTimes.roleSession, {
    prayer: staff.prayers[prayer],
    session,
    kind,
  })
}
