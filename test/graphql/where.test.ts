import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()

const slugs = async (where: string, variables?: Record<string, unknown>, declared = ''): Promise<number[]> => {
  const query = `query ${declared} { up_masjids(where: ${where}, order_by: {latitude: asc}) { slug } }`
  const { up_masjids } = await graphql().ask(query, variables === undefined ? {} : { variables })
  return up_masjids.map(({ slug }: { slug: string }) => Number(slug.slice(7)))
}
const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const where = (keep: (n: number) => boolean): number[] => all.filter(keep)
const hasState = (n: number): boolean => n % 5 > 0
const languages = (n: number): string[] => [['en'], ['en', 'ar'], ['ur', 'en', 'ar'], []][n % 4] ?? []

describe('where', () => {
  for (const [condition, keep] of [
    ['{}', () => true],
    ['{slug: {_eq: "masjid-3"}}', (n: number) => n === 3],
    ['{slug: {_neq: "masjid-3"}}', (n: number) => n !== 3],
    ['{state: {_neq: "NC"}}', () => false],
    ['{capacity: {_gt: 300}}', (n: number) => n % 4 !== 1 && n > 6],
    ['{capacity: {_gte: 300, _lt: 500}}', (n: number) => n % 4 !== 1 && n >= 6 && n < 10],
    ['{capacity: {_is_null: true}}', (n: number) => n % 4 === 1],
    ['{capacity: {_is_null: false}}', (n: number) => n % 4 !== 1],
    ['{slug: {_in: ["masjid-1", "masjid-9", "none"]}}', (n: number) => [1, 9].includes(n)],
    ['{slug: {_in: []}}', () => false],
    ['{slug: {_in: "masjid-7"}}', (n: number) => n === 7],
    ['{slug: {_nin: ["masjid-1", "masjid-9"]}}', (n: number) => ![1, 9].includes(n)],
    ['{slug: {_nin: []}}', () => true],
    ['{_and: []}', () => true],
    ['{_or: []}', () => false],
    ['{_not: {}}', () => false],
    ['{_or: [{slug: {_eq: "masjid-1"}}, {capacity: {_eq: 100}}]}', (n: number) => n <= 2],
    ['{_and: [{latitude: {_gt: 35.25}}, {_not: {latitude: {_gt: 35.45}}}]}', (n: number) => n === 3 || n === 4],
    ['{_not: {state: {_eq: "NC"}}}', () => false],
    ['{name: {_like: "Tansy%"}}', (n: number) => n % 6 === 1],
    ['{name: {_nlike: "Tansy%"}}', (n: number) => n % 6 !== 1],
    ['{name: {_ilike: "tansy%"}}', (n: number) => n % 6 === 1],
    ['{name: {_nilike: "TANSY%"}}', (n: number) => n % 6 !== 1],
    ['{name: {_similar: "(Tansy|Fennel)%"}}', (n: number) => [1, 5].includes(n % 6)],
    ['{name: {_nsimilar: "(Tansy|Fennel)%"}}', (n: number) => ![1, 5].includes(n % 6)],
    ['{name: {_regex: "^T.*[0-9]$"}}', (n: number) => n % 6 === 1],
    ['{name: {_iregex: "^tansy"}}', (n: number) => n % 6 === 1],
    ['{name: {_nregex: "^T"}}', (n: number) => n % 6 !== 1],
    ['{name: {_niregex: "^t"}}', (n: number) => n % 6 !== 1],
    ['{name: {_eq: "Yarrow \\"Quoted\\" Masjid 2"}}', (n: number) => n === 2],
    ['{verification: {_eq: verified}}', (n: number) => n % 2 === 0],
    ['{verification: {_in: [verified, pending]}}', (n: number) => n % 2 === 0],
    ['{verification: {_gt: pending}}', (n: number) => n % 2 === 0],
    ['{languages: {_contains: ["ar"]}}', (n: number) => languages(n).includes('ar')],
    ['{languages: {_contained_in: ["en", "ar"]}}', (n: number) => !languages(n).includes('ur')],
    ['{languages: {_overlaps: ["ur", "ar"]}}', (n: number) => languages(n).includes('ar')],
    ['{languages: {_eq: ["en", "ar"]}}', (n: number) => n % 4 === 1],
    ['{languages: {_eq: []}}', (n: number) => n % 4 === 3],
    ['{languages: {_in: [["en", "ar"], []]}}', (n: number) => n % 2 === 1],
    ['{languages: {_in: [["ar", "en"]]}}', () => false],
    ['{languages: {_in: []}}', () => false],
    ['{languages: {_nin: [["en", "ar"], []]}}', (n: number) => n % 2 === 0],
    ['{languages: {_nin: []}}', () => true],
    ['{facilities: {_in: [[wudu, parking], [parking, library]]}}', (n: number) => n % 3 > 0],
    ['{facilities: {_overlaps: [library, wudu]}}', (n: number) => n % 3 > 0],
    ['{facilities: {_contains: [parking, wudu]}}', (n: number) => n % 3 === 1],
    ['{adjustments: {_contains: {fajr: 2}}}', (n: number) => n % 2 === 0],
    ['{adjustments: {_contained_in: {fajr: 2, isha: 1}}}', () => true],
    ['{adjustments: {_has_key: "fajr"}}', (n: number) => n % 2 === 0],
    ['{adjustments: {_has_keys_any: ["isha", "fajr"]}}', (n: number) => n % 2 === 0],
    ['{adjustments: {_has_keys_all: ["isha", "fajr"]}}', () => false],
    ['{adjustments: {_eq: {}}}', (n: number) => n % 2 === 1],
    ['{verified_at: {_gte: "2026-01-05T12:00:00Z"}}', (n: number) => n % 2 === 0 && n >= 4],
    ['{entity: {legal_name: {_eq: "Entity 1"}}}', (n: number) => n % 4 === 1],
    ['{entity: {}}', (n: number) => n % 4 > 0],
    ['{_not: {entity: {}}}', (n: number) => n % 4 === 0],
    ['{events: {category: {_eq: youth}}}', (n: number) => n % 6 >= (n % 3 === 2 ? 3 : 2 - (n % 3)) && n % 6 > 0],
    ['{events: {}}', (n: number) => n % 6 > 0],
    ['{events: {masjid: {city: {_eq: "Cary"}}}}', (n: number) => n % 3 === 2 && n % 6 > 0],
    ['{events_aggregate: {count: {predicate: {_gt: 2}}}}', (n: number) => n % 6 > 2],
    ['{events_aggregate: {count: {predicate: {_eq: 0}}}}', (n: number) => n % 6 === 0],
    ['{events_aggregate: {count: {predicate: {_gte: 2}, filter: {mode: {_eq: online}}}}}', (n: number) => n % 6 >= 4],
    [
      '{events_aggregate: {count: {predicate: {_eq: 2}, arguments: [mode], distinct: true}}}',
      (n: number) => n % 6 >= 2,
    ],
    [
      '{events_aggregate: {count: {predicate: {_eq: 2}, arguments: [capacity]}}}',
      (n: number) => n % 6 === 2 || n % 6 === 3,
    ],
    ['{events_aggregate: {max: {predicate: {duration_minutes: {_gte: 120}}}}}', (n: number) => n % 6 >= 4],
    ['{events_aggregate: {min: {predicate: {capacity: {_lt: 15}}}}}', (n: number) => n % 6 > 0 && n < 5],
    ['{events_aggregate: {sum: {predicate: {duration_minutes: {_gt: 100, _lt: 200}}}}}', (n: number) => n % 6 === 3],
    ['{events_aggregate: {avg: {predicate: {duration_minutes: {_eq: 45}}}}}', (n: number) => n % 6 === 2],
  ] as const)
    test(condition, async () => assert.deepEqual(await slugs(condition), where(keep)))
})

describe('variables in filters', () => {
  test('a whole where, a part of it, a list, and a value', async () => {
    const condition = {
      _or: [{ slug: { _in: ['masjid-1', 'masjid-2'] } }, { events: { title: { _like: 'Event 5.%' } } }],
    }
    assert.deepEqual(await slugs('$w', { w: condition }, '($w: up_masjids_bool_exp)'), [1, 2, 5])
    assert.deepEqual(await slugs('$w', { w: null }, '($w: up_masjids_bool_exp)'), all)
    assert.deepEqual(await slugs('$w', {}, '($w: up_masjids_bool_exp)'), all)
    assert.deepEqual(await slugs('{slug: $c}', { c: { _eq: 'masjid-4' } }, '($c: String_comparison_exp!)'), [4])
    assert.deepEqual(await slugs('{slug: {_in: $l}}', { l: ['masjid-8', 'masjid-9'] }, '($l: [String!]!)'), [8, 9])
    assert.deepEqual(await slugs('{slug: {_in: $l}}', { l: 'masjid-8' }, '($l: [String!]!)'), [8])
    assert.deepEqual(
      await slugs(
        '{languages: {_in: $l}}',
        {
          l: [
            ['en', 'ar'],
            ['a "b"', '{c,\\d}', 'null'],
          ],
        },
        '($l: [[String!]!]!)',
      ),
      where(n => n % 4 === 1),
    )
    assert.deepEqual(
      await slugs('{languages: {_in: [["en", $s]]}}', { s: 'ar' }, '($s: String!)'),
      where(n => n % 4 === 1),
    )
    assert.deepEqual(await slugs('{slug: {_in: ["masjid-8", $s]}}', { s: 'masjid-1' }, '($s: String!)'), [1, 8])
    assert.deepEqual(
      await slugs('{_or: $l}', { l: { slug: { _eq: 'masjid-3' } } }, '($l: [up_masjids_bool_exp!])'),
      [3],
    )
    assert.deepEqual(
      await slugs('{state: {_is_null: $n}}', { n: true }, '($n: Boolean!)'),
      where(n => !hasState(n)),
    )
    assert.deepEqual(await slugs('{state: {_is_null: $n}}', { n: false }, '($n: Boolean!)'), where(hasState))
    assert.deepEqual(
      await slugs('{adjustments: {_contains: {fajr: $m}}}', { m: 2 }, '($m: jsonb)'),
      where(n => n % 2 === 0),
    )
    assert.deepEqual(
      await slugs('{facilities: {_contains: $f}}', { f: ['library'] }, '($f: [up_facility])'),
      [2, 5, 8, 11],
    )
  })

  test('defaults apply, absent ones are ignored', async () => {
    assert.deepEqual(await slugs('{slug: {_eq: $s}}', {}, '($s: String = "masjid-2")'), [2])
    assert.deepEqual(await slugs('{slug: {_eq: $s}}', { s: 'masjid-3' }, '($s: String = "masjid-2")'), [3])
    assert.deepEqual(await slugs('{slug: {_eq: $s}}', {}, '($s: String)'), all)
  })

  test('the same document with variables of other shapes gives other results', async () => {
    for (const w of [{ slug: { _eq: 'masjid-1' } }, { city: { _eq: 'Cary' } }, { slug: { _eq: 'masjid-2' } }, {}]) {
      const expected = where(n => (w.slug ? `masjid-${n}` === w.slug._eq : w.city ? n % 3 === 2 : true))
      assert.deepEqual(await slugs('$w', { w }, '($w: up_masjids_bool_exp!)'), expected)
    }
  })
})

describe('null where a value is compared', () => {
  for (const [condition, variables, declared] of [
    ['{slug: {_eq: null}}'],
    ['{slug: {_in: null}}'],
    ['{slug: null}'],
    ['{_and: null}'],
    ['{_or: null}'],
    ['{_not: null}'],
    ['{entity: null}'],
    ['{events: null}'],
    ['{events_aggregate: null}'],
    ['{state: {_is_null: null}}'],
    ['{slug: {_eq: $s}}', { s: null }, '($s: String)'],
    ['$w', { w: { slug: { _eq: null } } }, '($w: up_masjids_bool_exp)'],
    ['$w', { w: { _and: null } }, '($w: up_masjids_bool_exp)'],
    ['$w', { w: { entity: { legal_name: { _eq: null } } } }, '($w: up_masjids_bool_exp)'],
  ] as const)
    test(`is refused: ${condition} ${JSON.stringify(variables ?? {})}`, async () => {
      const query = `query ${declared ?? ''} { up_masjids(where: ${condition}) { slug } }`
      const [error] = await graphql().refused(query, { variables: (variables ?? {}) as Record<string, unknown> })
      assert.match(error?.message ?? '', /null/i)
    })
})
