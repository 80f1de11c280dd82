// A table made by plain SQL with a column of every type: nulls, edge cases and awkward characters in each.
import type { Queryable } from '../../../src/db/database.ts'
import { rawSql } from '../../../src/db/sql.ts'

const statements = [
  `create type public.up_colour as enum ('red', 'amber', 'green')`,
  `create table public.up_specimens (
    id integer primary key,
    masjid_id uuid references public.up_masjids,
    parent_id integer references public.up_specimens,
    flag boolean,
    small smallint,
    whole integer,
    large bigint,
    precise numeric,
    real_number real,
    double_number double precision,
    words text,
    short_words varchar(20),
    mark uuid,
    day date,
    clock time,
    moment timestamp,
    instant timestamptz,
    length interval,
    colour public.up_colour,
    colours public.up_colour[],
    tags text[],
    numbers integer[],
    document jsonb,
    days daterange,
    span int4range
  )`,
  `comment on table public.up_specimens is E'@scope masjid:read\\nOne column of every type.'`,
  `comment on constraint up_specimens_parent_id_fkey on public.up_specimens is E'@object parent\\n@array children'`,
  // Small coprime numbers make the columns independent of each other; about every seventh value is null.
  `insert into public.up_specimens
   select n,
     (select id from public.up_masjids where n % 3 > 0 order by id offset n % 5 limit 1),
     case when n > 5 then n % 5 + 1 end,
     (array[true, false, null])[1 + n % 3],
     (array[0, 1, -1, 32767, -32768, null])[1 + n % 6],
     (array[0, 7, -7, 2147483647, -2147483648, null, 7])[1 + n % 7],
     (array[0, 9007199254740993, 9223372036854775807, -9223372036854775808, null])[1 + n % 5],
     (array[0, 0.5, 0.50, 12345678901234567890.123456789, -1e-20, null, 100])[1 + n % 7],
     (array[0, 0.5, -33.25, 1024, null])[1 + n % 5],
     (array[0, 0.1, 1e-300, -123456.789, null, 0.5])[1 + n % 6],
     (array['', 'a', 'A', 'b%', 'b_', 'O''Brien', E'two\\nlines', 'back\\slash', '"quoted"', 'Ärger', 'ärger', 'مسجد', '🕌', ' padded ', null])[1 + n % 15],
     (array['Lane', 'lane', 'LANE Hill', null])[1 + n % 4],
     (array['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'a0000000-0000-4000-8000-000000000001', null])[1 + n % 4]::uuid,
     (array['2026-02-28', '1999-12-31', '2024-02-29', null])[1 + n % 4]::date,
     (array['00:00', '23:59:59.999999', '12:30', null, '12:30:00.5'])[1 + n % 5]::time,
     (array['2026-01-01 00:00', '2026-01-01 00:00:00.000001', '1970-01-01 12:00:00.5', null])[1 + n % 4]::timestamp,
     (array['2026-01-01 00:00+00', '2026-01-01 05:30+05:30', '2026-03-29 01:00:00.123456+00', null])[1 + n % 4]::timestamptz,
     (array['1 day', '23:59:59', '1 mon', '29 days', '-1 day', '1 day 02:03:04.5', '0', null])[1 + n % 8]::interval,
     (array['green', 'red', 'amber', null])[1 + n % 4]::public.up_colour,
     (array['{}', '{red}', '{green,red}', '{red,green,amber}', null])[1 + n % 5]::public.up_colour[],
     (array['{}', '{a}', '{a,b}', '{b,a}', '{a,a,b}', '{a,null}', '{"x y","with \\"quote\\"","NULL"}', null])[1 + n % 8]::text[],
     (array['{}', '{1}', '{1,2,3}', '{3,2,1}', '{null}', null])[1 + n % 6]::integer[],
     (array['{}', '{"a": {"b": 1}}', '{"a": [1, 2, {"b": null}], "dhuhr": 2}', '[1, "a", null]', '"a"', '2.0', '[]', '{"a": 1.0}', null])[1 + n % 9]::jsonb,
     (array['[2026-01-01,2026-02-01)', '[2026-02-01,2026-03-01)', '(,2026-01-15)', '[2026-01-15,)', '(,)', 'empty', null])[1 + n % 7]::daterange,
     (array['[1,5)', '[5,9)', '[3,3]', '(,4)', 'empty', null])[1 + n % 6]::int4range
   from generate_series(1, 90) n`,
]

export const addSpecimens = async (database: Queryable): Promise<void> => {
  for (const statement of statements) await database.run(rawSql(statement))
}
