// A small library at each masjid, with tables of every kind that writing treats in its own way.
import { createLogger } from '../../../src/base/log.ts'
import { openDatabase, type Queryable } from '../../../src/db/database.ts'
import { rawSql } from '../../../src/db/sql.ts'
import { keepStructure } from '../../support/keep-structure.ts'
import { makeTemplate } from '../../support/template.ts'
import { fixtureTemplate } from '../fixture.ts'

/** Rows of a masjid are written by those who look after its events, and read by everyone. */
const policies = (table: string, operations: readonly string[] = ['insert', 'update', 'delete']): string[] => {
  const mine = `masjid_id = any ((select writing_masjids('events'))::uuid[])
    or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'`
  return [
    `alter table ${table} enable row level security`,
    `create policy everyone_reads on ${table} for select using (true)`,
    ...operations.map(operation =>
      operation === 'insert'
        ? `create policy own_insert on ${table} for insert with check (${mine})`
        : `create policy own_${operation} on ${table} for ${operation} using (${mine})`,
    ),
  ]
}

const statements = [
  `create table public.up_lib_shelves (
     id integer generated always as identity primary key,
     masjid_id uuid not null references up_masjids,
     label text not null,
     constraint up_lib_shelves_label_key unique (masjid_id, label)
   )`,
  `comment on table up_lib_shelves is E'@scope events:read\\n@writable\\nShelves.'`,
  `create table public.up_lib_authors (
     id uuid primary key default gen_random_uuid(),
     masjid_id uuid not null references up_masjids,
     name text not null,
     pen_name text,
     rating integer default 3 constraint up_lib_authors_rating_check check (rating between 1 and 5),
     balance numeric not null default 0,
     details jsonb default '{}',
     nicknames text[] not null default '{}',
     added_by text default current_setting('minaret.app_id', true),
     constraint up_lib_authors_pen_name_key unique (pen_name)
   )`,
  `comment on table up_lib_authors is E'@scope events:read\\n@writable\\nAuthors.'`,
  `comment on column up_lib_authors.added_by is E'@preset\\nThe app that added the author.'`,
  `comment on constraint up_lib_authors_rating_check on up_lib_authors is 'A rating is from 1 to 5 stars.'`,
  `create unique index up_lib_authors_lower_name on up_lib_authors (masjid_id, lower(name)) where pen_name is null`,
  `create table public.up_lib_books (
     id uuid primary key default gen_random_uuid(),
     masjid_id uuid not null references up_masjids,
     author_id uuid references up_lib_authors on delete restrict,
     shelf_id integer references up_lib_shelves,
     title text not null check (title <> ''),
     pages integer,
     published date,
     version bigint not null default 1,
     deleted_at timestamptz
   )`,
  `comment on table up_lib_books is E'@scope events:read\\n@writable\\n@soft_delete deleted_at\\nBooks.'`,
  `comment on column up_lib_books.version is E'@version\\nRaised at every change.'`,
  `create function public.up_lib_raise_version() returns trigger language plpgsql as
     'begin new.version := old.version + 1; return new; end'`,
  `create trigger raise_version before update on up_lib_books for each row execute function up_lib_raise_version()`,
  `create function public.up_lib_refuse_banned() returns trigger language plpgsql as
     'begin
        if new.title = ''banned'' then raise exception ''This book is not wanted here.''; end if;
        if new.title = ''lent'' then
          raise exception ''It is lent until 2027-01-08.'' using errcode = ''MN003'', constraint = ''up_lib_books_lent'',
            detail = ''{"until": "2027-01-08", "to": "somebody", "keys": [8]}'';
        end if;
        return new; end'`,
  `create trigger refuse_banned before insert or update on up_lib_books for each row execute function up_lib_refuse_banned()`,
  `create table public.up_lib_reviews (
     id uuid primary key default gen_random_uuid(),
     masjid_id uuid not null references up_masjids,
     book_id uuid not null references up_lib_books on delete cascade deferrable initially deferred,
     stars integer not null,
     words text,
     constraint up_lib_reviews_order_key unique (book_id, stars) deferrable initially deferred
   )`,
  `comment on table up_lib_reviews is E'@scope events:read\\n@writable\\nReviews.'`,
  `create table public.up_lib_loans (
     id uuid primary key default gen_random_uuid(),
     masjid_id uuid not null references up_masjids,
     book_id uuid not null references up_lib_books,
     borrower text not null
   )`,
  `comment on table up_lib_loans is E'@scope members:read\\n@writable insert delete\\n@personal\\nWho borrowed what.'`,
  `create table public.up_lib_settings (name text primary key, value text not null)`,
  `comment on table up_lib_settings is E'@scope events:read\\n@writable\\nSettings of all libraries.'`,
  `create type public.up_lib_shade as enum ('pale', 'dark')`,
  `create table public.up_lib_editions (
     id integer generated always as identity primary key,
     masjid_id uuid not null references up_masjids,
     name text not null,
     price money,
     years integer[],
     grid integer[][],
     notes json[],
     shades up_lib_shade[]
   )`,
  `comment on table up_lib_editions is E'@scope events:read\\n@writable\\nEditions, with values of unusual types.'`,
  `create function public.up_lib_editions_oldest(edition up_lib_editions) returns integer language sql stable as
     'select min(year) from unnest(edition.years) year'`,
  `create function public.up_lib_editions_dearer(floor_price money, edition up_lib_editions) returns setof up_lib_editions language sql stable as
     'select * from up_lib_editions where masjid_id = edition.masjid_id and price >= greatest(floor_price, edition.price) and id <> edition.id'`,
  ...policies('up_lib_editions'),
  ...policies('up_lib_shelves'),
  ...policies('up_lib_authors'),
  ...policies('up_lib_books'),
  ...policies('up_lib_reviews'),
  ...policies('up_lib_loans', ['insert', 'delete']),
  `create function public.up_lib_add_copy(book uuid, copies integer) returns setof up_lib_books language sql volatile as
     'insert into up_lib_books (masjid_id, author_id, title)
      select masjid_id, author_id, title from up_lib_books, generate_series(1, copies) where id = book returning *'`,
  `comment on function up_lib_add_copy is E'@mutation\\n@scope events:write\\nAdds copies of a book.'`,
  `create function public.up_lib_rename(book uuid, title text) returns up_lib_books language sql volatile as
     'update up_lib_books set title = $2 where id = book returning *'`,
  `comment on function up_lib_rename is E'@mutation\\n@scope events:write\\nGives a book another title.'`,
]

export const createLibrary = async (database: Queryable): Promise<void> => {
  for (const statement of statements) await database.run(rawSql(statement))
}

/** With the rows of the fixture, and everything that a service does about new tables. */
export const libraryTemplate = async (empty: string): Promise<string> => {
  const from = await fixtureTemplate(empty)
  return makeTemplate({
    name: `${from}_library`,
    from,
    fill: async connection => {
      const database = openDatabase(connection, { poolSize: 1, log: createLogger('silent') })
      await createLibrary(database).finally(() => database.close())
      await keepStructure(connection)
    },
  })
}
