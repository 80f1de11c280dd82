// What the limits of lists would refuse is estimated again from the database's statistics: small tables stay cheap.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import type { Data } from '../support/graphql.ts'
import { within } from '../support/oauth.ts'
import { useApi } from './use-api.ts'

const statements = `
  create table public.up_author (id int primary key, name text);
  create table public.up_article (id int primary key, author_id int references public.up_author);
  create table public.up_reader (id int primary key, author_id int references public.up_author);
  comment on table public.up_reader is E'@personal\\n';
  create table public.up_crowd (id int primary key, author_id int references public.up_author);
  create table public.up_kept (id int primary key, author_id int references public.up_author);
  alter table public.up_kept enable row level security;
  create policy positive on public.up_kept using (id > 0);
  create table public.up_open (id int primary key, author_id int references public.up_author);
  alter table public.up_open enable row level security;
  create policy everyone on public.up_open for select using (true);
  create policy writers on public.up_open using (id > 0);
  insert into public.up_author values (1, 'Amina'), (2, 'Bilal');
  insert into public.up_article values (1, 1), (2, 1), (3, 2);
  insert into public.up_reader values (1, 1), (2, 1), (3, 2);
  insert into public.up_kept values (1, 1);
  insert into public.up_open values (1, 1), (2, 1), (3, 2);
  insert into public.up_crowd select n, 1 + n % 2 from generate_series(1, 20000) n;
  analyze public.up_crowd, public.up_reader, public.up_kept, public.up_open;
  comment on table public.up_crowd is 'The structure is read again after this.'`

const api = useApi({}, async ({ service }) => {
  for (const statement of statements.split(';\n')) await service.database.run(rawSql(statement))
})

const answerTo = async (query: string) => {
  const headers = { accept: 'application/graphql-response+json', 'x-minaret-explain': '1' }
  const response = await api().post({ query }, headers)
  return { status: response.status, body: (await response.json()) as Data }
}

/** The latest comment is visible, so the statistics are too. */
const isRead = async (): Promise<boolean> =>
  (await answerTo('{ __type(name: "up_crowd") { description } }')).body.data?.__type?.description?.includes('again') ===
  true

const deep = (list: string, back = 'author'): string =>
  `{ up_${list} { ${back} { ${list} { ${back} { ${list} { id } } } } } }`

describe('a deep query', () => {
  test('over three rows is answered, analyzed or not, and shows its cost', async () => {
    await within(60_000, 'the structure is read', isRead)
    for (const analyzed of [false, true]) {
      if (analyzed) await api().minaret.service.database.run(rawSql('analyze public.up_article, public.up_author'))
      const { status, body } = await answerTo(deep('article'))
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.data.up_article.length, 3)
      assert.equal(body.data.up_article[0].author.article[0].author.article.length, 2)
      assert.ok(body.extensions.cost.rows < 1000, String(body.extensions.cost.rows))
    }
  })

  test('over many rows is refused, with the cost by part and what to change', async () => {
    const { status, body } = await answerTo(deep('crowd'))
    assert.equal(status, 400)
    const [{ message, extensions, path }] = body.errors
    assert.equal(extensions.code, 'too-costly')
    assert.match(message, /the maximum is 50000\. By part: up_crowd\.author\.crowd.* \d+.*Lower `limit` at up_crowd/)
    assert.ok(path.length > 2)
    assert.equal(extensions.cost.maximum, 50_000)
    assert.ok(extensions.cost.parts.some((part: Data) => part.path === 'up_crowd' && part.rows === 100))
  })

  test('over a table whose policy shows every row to everybody is answered', async () => {
    const { status, body } = await answerTo(deep('open'))
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.up_open.length, 3)
    assert.ok(body.extensions.cost.rows < 1000, String(body.extensions.cost.rows))
  })

  for (const table of ['reader', 'kept'])
    test(`over ${table}, whose row count is confidential, is judged by its limits alone`, async () => {
      const { status, body } = await answerTo(deep(table))
      assert.equal(status, 400)
      assert.equal(body.errors[0].extensions.code, 'too-costly')
    })

  test('of many empty levels costs what it would read, not what its limits allow', async () => {
    const { status } = await answerTo('{ up_author(where: {id: {_lt: 0}}) { article { author { article { id } } } } }')
    assert.equal(status, 200)
  })
})

test('a response with more rows than the statistics predicted is still refused', async () => {
  const { database } = api().minaret.service
  await database.run(rawSql('alter table public.up_article set (autovacuum_enabled = off)'))
  await database.run(rawSql('insert into public.up_article select n, 1 from generate_series(10, 400) n'))
  const { status, body } = await answerTo(
    '{ up_article(limit: 6, where: {author_id: {_eq: 1}}) { author { article { author { article { id } } } } } }',
  )
  assert.equal(status, 400, String(body.extensions?.cost?.rows))
  assert.equal(body.errors[0].extensions.code, 'too-costly')
  assert.match(body.errors[0].message, /The response has 6\d{4} rows; the maximum is 50000/)
})
