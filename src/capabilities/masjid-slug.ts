// A masjid's name and city → names for its addresses, the best first.

const LONGEST = 60

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '')

/** Names that have pages of their own below /staff. */
const reserved = new Set(['register', 'claim', 'requests', 'new'])

interface PlainSlugs {
  readonly first: string
  readonly withPlace: string
}

/** A name in another script gives nothing: then it is "masjid" and the city. */
const plainSlugs = (name: string, city: string): PlainSlugs => {
  const [first, place] = [plain(name) || 'masjid', plain(city)]
  return { first, withPlace: place === '' ? first : `${first}-${place}`.slice(0, LONGEST).replace(/-+$/, '') }
}

const free = (slugs: readonly string[]): string[] =>
  [...new Set(slugs)].filter(slug => !reserved.has(slug) && slug !== 'masjid')

export const slugsOf = (name: string, city: string): string[] => {
  const { first, withPlace } = plainSlugs(name, city)
  return free([first, withPlace, ...Array.from({ length: 50 }, (_, index) => `${withPlace}-${index + 2}`)])
}

/** For thousands at once, of which many have the same name in the same city: what tells them apart stands instead of a number. */
export const slugsApart = (name: string, city: string, apart: string): string[] => {
  const { first, withPlace } = plainSlugs(name, city)
  return free([first, withPlace, `${withPlace}-${apart}`])
}
