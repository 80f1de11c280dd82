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

/** A name in another script gives nothing: then it is "masjid" and the city. */
export const slugsOf = (name: string, city: string): string[] => {
  const [first, place] = [plain(name) || 'masjid', plain(city)]
  const withPlace = place === '' ? first : `${first}-${place}`.slice(0, LONGEST).replace(/-+$/, '')
  const numbered = Array.from({ length: 50 }, (_, index) => `${withPlace}-${index + 2}`)
  return [...new Set([first, withPlace, ...numbered])].filter(slug => !reserved.has(slug) && slug !== 'masjid')
}
