// What the source lists by hand and the database knows too: lists of an enum's values, the tables of a scope, lifetimes, methods.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { isWriteScope, type Scope, scopeDescriptions } from '../../src/access/scopes.ts'
import { lifetimeBounds, lifetimeColumn } from '../../src/apps/lifetimes.ts'
import type { ScopeDescription } from '../../src/base/scope-table.ts'
import type { Model, Table } from '../../src/catalog/model.ts'
import { sql } from '../../src/db/sql.ts'
import { ACCESS_TOKEN_SECONDS, ID_TOKEN_SECONDS, KEY_PUBLISHED_AFTER_USE_SECONDS } from '../../src/oauth/lifetimes.ts'
import { methodNames } from '../../src/prayer/calculation/methods.ts'
import { openStructures, type Structures } from '../support/open-structures.ts'

let structures: Structures
before(async () => {
  structures = await openStructures()
})
after(() => structures.close())

const source = new URL('../../', import.meta.url).pathname

/** Lists that mean only some values of an enum, and what they are. Invented data choose freely. */
const someOf: Readonly<Record<string, string>> = {
  'src/timetables/store/known-days.ts pc_prayer': 'the five daily prayers and sunrise',
  'src/timetables/read/guess-columns.ts pc_prayer': 'columns of a timetable',
  'src/site/staff/week/change-values.ts pc_iqamah_rule': 'and none',
  'src/site/staff/week/sessions-page.ts pc_prayer': 'prayers that have sessions',
  'src/site/staff/giving/gift.ts ua_payment_method': 'what staff take in by hand',
  'src/site/staff/events/event.ts pc_prayer': 'prayers that an event can follow',
  'src/site/staff/announcements/announcement.ts up_announcement_kind': 'a janazah has a form of its own',
  'src/site/staff/announcements/announcement.ts pc_prayer': 'prayers that a janazah can follow',
  'src/site/staff/details/masjid-details.ts pc_prayer': 'calculated times that can be corrected',
  'src/prayer/daily-prayers.ts pc_prayer': 'the five daily prayers',
  'src/place-times/parameters.ts pc_prayer': 'calculated times',
  'src/prayer/comparing/compare-rules.ts pc_prayer': 'calculated times',
  'src/mcp/tools/change-iqamah.ts pc_prayer': 'prayers of every week',
  'src/mcp/tools/publish-announcement.ts up_announcement_kind': 'a janazah has a form of its own',
  'src/mcp/tools/rsvp-to-event.ts up_rsvp_status': 'what people answer themselves',
  'src/accounts/guest-answers.ts up_rsvp_status': 'what people answer themselves',
}

interface List {
  readonly file: string
  readonly values: readonly string[]
}

const listsIn = (file: string): List[] =>
  [...readFileSync(`${source}${file}`, 'utf8').matchAll(/\[\s*((?:'[^'\n]+'(?:,|\s)*){3,})\]/g)].map(
    ([, list = '']) => ({
      file,
      values: [...list.matchAll(/'([^']+)'/g)].map(([, value = '']) => value),
    }),
  )

test('a list of most values of an enum has all of them, or says why not', async () => {
  const enums = await structures.database.query<{ name: string; labels: string[] }>(sql`
    select type.typname as name, array_agg(label.enumlabel order by label.enumsortorder)::text[] as labels
    from pg_enum label join pg_type type on type.oid = label.enumtypid
    where type.typnamespace = 'public'::regnamespace group by type.oid`)
  const lists = globSync('src/**/*.ts', { cwd: source })
    .filter(file => !file.endsWith('.test.ts') && !file.startsWith('src/fixtures/'))
    .flatMap(listsIn)
  const partial = lists.flatMap(({ file, values }) =>
    enums
      .filter(({ labels }) => {
        const known = values.filter(value => labels.includes(value)).length
        return known >= 3 && known / values.length > 0.6
      })
      .filter(({ labels }, _, alike) => !alike.some(other => isSame(other.labels, values)) && !isSame(labels, values))
      .map(({ name }) => `${file} ${name}`),
  )
  assert.deepEqual([...new Set(partial)].sort(), Object.keys(someOf).sort())
})

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  [...left].sort().join() === [...right].sort().join()

/** The log of what changed has rows of every scope. */
const OF_ALL_SCOPES = 'up_changes'

test('the tables that are said to be of a scope ask for it, and every table is said to be of one', async () => {
  const models: Model[] = []
  const watch = await structures.watch(model => models.push(model))
  await watch.close()
  const tables = [...(models[0]?.tables.values() ?? [])].filter(({ name }) => name !== OF_ALL_SCOPES)
  for (const kind of ['read', 'write'] as const) {
    const scopesOf = ({ scopes, writing }: Table): readonly string[] =>
      [...scopes, ...(writing?.scopes ?? [])].filter(scope => isWriteScope(scope as Scope) === (kind === 'write'))
    const said = scopeDescriptions.flatMap(({ name, access, tables: list }) =>
      access !== kind || list === undefined
        ? []
        : list === 'pc_…'
          ? tables
              .filter(table => table.name.startsWith('pc_') && scopesOf(table).length > 0)
              .map(table => [name, table.name])
          : list.split(', ').map(table => [name, table]),
    )
    for (const [scope = '', name] of said) {
      const table = tables.find(one => one.name === name)
      assert.ok(table !== undefined && scopesOf(table).includes(scope), `${name} asks for ${scope}`)
    }
    const asking = tables.filter(table => scopesOf(table).length > 0).map(({ name }) => name)
    assert.deepEqual([...new Set(said.map(([, name]) => name))].sort(), asking.sort())
  }
})

test('no token outlives the published key that signed it, and the database lets no app choose more', async () => {
  const checks = await structures.database.query<{ column: string; least: number; most: number }>(sql`
    select match[1] as column, match[2]::integer as least, match[3]::integer as most
    from pg_constraint, regexp_match(pg_get_constraintdef(oid), '[(](\\w+) >= (\\d+)[)] AND [(]\\1 <= (\\d+)[)]') as match
    where conrelid = 'minaret.apps'::regclass and conname like 'apps_%_seconds_check'`)
  const kept = Object.fromEntries(checks.map(({ column, least, most }) => [column, [least, most]]))
  assert.deepEqual(
    kept,
    Object.fromEntries(Object.entries(lifetimeBounds).map(([name, bounds]) => [lifetimeColumn(name), bounds])),
  )
  assert.equal(lifetimeBounds.accessSeconds[1], ACCESS_TOKEN_SECONDS)
  assert.ok(Math.max(ACCESS_TOKEN_SECONDS, ID_TOKEN_SECONDS) < KEY_PUBLISHED_AFTER_USE_SECONDS)
})

test('the methods of calculation are those of the enum', async () => {
  const rows = await structures.database.query<{ label: string }>(sql`
    select label::text from unnest(enum_range(null::public.pc_calculation_method)) label`)
  assert.deepEqual(methodNames, rows.map(({ label }) => label).sort())
})

test('apps that describe themselves may ask for what the table of scopes says', async () => {
  const named = (wanted: (scope: ScopeDescription) => boolean): string[] =>
    scopeDescriptions.filter(wanted).map(({ name }) => name)
  const askedFor = async (state: string): Promise<string[]> => {
    const host = `${state}.example.org`
    await structures.database.run(sql`
      insert into minaret.app_hosts (host, state, decided_at) values (${host}, ${state}, ${state === 'new' ? null : new Date()})`)
    const row = await structures.database.first<{ scopes: string[] }>(
      sql`select minaret.scopes_of_host(${host}) as scopes`,
    )
    return row?.scopes ?? []
  }
  assert.deepEqual(
    await askedFor('new'),
    named(({ access }) => access !== 'write'),
  )
  assert.deepEqual(
    await askedFor('limited'),
    named(({ name, open }) => name === 'offline_access' || open),
  )
})

test('docs/security.md says who writes each table', async () => {
  const rows = await structures.database.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and obj_description(oid, 'pg_class') ~ '(^|\n)@writable'`)
  const [, section = ''] = readFileSync(`${source}docs/security.md`, 'utf8').split('| table | who writes |')
  const table = section.split('\n\n')[0] ?? ''
  assert.deepEqual(
    rows.map(({ name }) => name).filter(name => !table.includes(`\`${name}\``)),
    [],
  )
})
