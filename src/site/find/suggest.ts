// What somebody has typed so far → what they may mean: cities that begin so, then masjids with their city, each as the box will have it.
import type { Language } from '../../accounts/languages.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import { nameIn } from '../masjid/public-masjid.ts'
import type { FoundMasjid } from './find-masjids.ts'
import type { FindWishes } from './find-wishes.ts'

const MOST = 8
const FEWEST_LETTERS = 3

const SUGGEST = `query Suggest($search: String!, $latitude: Float, $longitude: Float) {
  found: up_masjids_search(args: {search: $search, latitude: $latitude, longitude: $longitude}, limit: ${MOST * 2}) { name name_ar city }
}`

type Suggested = Pick<FoundMasjid, 'name' | 'name_ar' | 'city'>

export interface Typed {
  readonly wishes: Pick<FindWishes, 'name' | 'near'>
  readonly language: Language
  readonly address: string
}

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

export const suggest = async (engine: Engine, { wishes, language, address }: Typed): Promise<readonly string[]> => {
  const { name: typed, near } = wishes
  if ((typed.match(/[\p{L}\p{M}\p{N}]/gu) ?? []).length < FEWEST_LETTERS) return []
  const variables = { search: typed, ...near }
  const { found } = await askPublic<{ readonly found: readonly Suggested[] }>(engine, {
    query: SUGGEST,
    variables,
    address,
  })
  const cities = found.map(({ city }) => city).filter(city => plain(city).startsWith(plain(typed)))
  const masjids = found.map(masjid => `${nameIn(language, masjid)}${language === 'ar' ? '، ' : ', '}${masjid.city}`)
  return [...new Set([...cities, ...masjids])].slice(0, MOST)
}
