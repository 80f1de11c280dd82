// --masjid and --own-masjid, ids or `all` or `none` → which masjids an app reaches and whose own app it is.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { MasjidChoice } from '../apps/masjids.ts'
import { type Options, textList, UsageFault } from './command.ts'

export const masjidOptions = {
  masjid: { type: 'string', multiple: true },
  'own-masjid': { type: 'string', multiple: true },
} as const satisfies ParseArgsOptionsConfig

export const MASJID_USAGE = '[--masjid ID … | all] [--own-masjid ID … | all | none]'

const readList = (options: Options, name: keyof typeof masjidOptions): '*' | readonly string[] | undefined => {
  const given = textList(options, name)
  if (given.length === 0) return undefined
  const word = given.find(value => value === 'all' || value === 'none')
  if (word !== undefined && given.length > 1) throw new UsageFault(`--${name} ${word} stands alone.`)
  if (word === 'all') return '*'
  return word === 'none' ? [] : given
}

/** Unless said otherwise: every masjid, and no masjid's own app. */
export const readMasjids = (options: Options): MasjidChoice => {
  const [only, own] = [readList(options, 'masjid'), readList(options, 'own-masjid') ?? []]
  if (only?.length === 0) throw new UsageFault('--masjid takes ids, or all.')
  if (own === '*' && only !== undefined && only !== '*')
    throw new UsageFault('With --own-masjid all the app reaches every masjid: leave --masjid out.')
  return { only: only ?? '*', own }
}
