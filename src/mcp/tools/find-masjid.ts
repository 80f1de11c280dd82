// A masjid as a tool was told it → its id, name and time zone.
import type { Call } from '../tool.ts'
import { unknownMasjid, whichMasjid } from './masjid-input.ts'

export interface NamedMasjid {
  readonly id: string
  readonly name: string
  readonly timezone: string
}

const QUERY =
  'query Masjid($which: up_masjids_bool_exp!) { masjids: up_masjids(where: $which, limit: 1) { id name timezone } }'

/** @throws {ToolRefusal} */
export const findMasjid = async ({ ask }: Call, masjid: string): Promise<NamedMasjid> => {
  const variables = { which: whichMasjid(masjid) }
  const { masjids } = await ask<{ masjids: readonly NamedMasjid[] }>({ query: QUERY, variables })
  const [found] = masjids
  if (found === undefined) throw unknownMasjid(masjid)
  return found
}
