// A table that is open to writing, twice: the second is not audited while it is measured. As simple as they come, so that what
// is measured is the way of writing, and not the work of a table's own triggers.
import type { Step } from './tables.ts'

export const NOTICES = 'up_notices'
export const UNAUDITED_NOTICES = 'up_plain_notices'

/** The notices that updates choose from, all of the first masjid. */
export const NOTICE_COUNT = 20_000

const policies = (table: string): string => {
  const mine = `masjid_id = any ((select writing_masjids('events'))::uuid[])
    or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'`
  return `
    alter table ${table} enable row level security;
    create policy everyone_reads on ${table} for select using (true);
    create policy own_insert on ${table} for insert with check (${mine});
    create policy own_update on ${table} for update using (${mine})`
}

export const createNotices = (table: string): string => `
create table ${table} (
  id uuid primary key default gen_random_uuid(),
  masjid_id uuid not null references up_masjids,
  title text not null check (title <> ''),
  body text not null default '',
  priority integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now()
);
create index on ${table} (masjid_id, created_at);
comment on table ${table} is E'@scope events:read\\n@writable\\n@capability events\\nNotices.';
comment on column ${table}.version is E'@version\\nRaised at every change.';
comment on column ${table}.created_at is E'@preset\\nWhen it was written.';
create trigger raise_version before update on ${table} for each row execute function raise_notice_version();
${policies(table)};
select watch_writes('${table}');
insert into ${table} (id, masjid_id, title, body)
select md5('notice' || n)::uuid, md5('masjid1')::uuid, 'Notice ' || n, 'Everyone is welcome; please come a little early.'
from generate_series(1, ${NOTICE_COUNT}) n`

const raiseVersion = `
create function raise_notice_version() returns trigger language plpgsql as
  'begin new.version := old.version + 1; return new; end'`

export const noticeSteps: readonly Step[] = [
  { title: 'notices', statement: [raiseVersion, createNotices(NOTICES), createNotices(UNAUDITED_NOTICES)].join(';\n') },
]

/** The service makes sure that writes are noted, but leaves a trigger that somebody disabled as it is. */
export const LEAVE_OUT_AUDIT = `
do $$
declare
  name text;
begin
  for name in select tgname from pg_trigger where tgrelid = '${UNAUDITED_NOTICES}'::regclass
      and tgname in ('note_writing', 'note_insert') loop
    execute format('alter table ${UNAUDITED_NOTICES} disable trigger %I', name);
  end loop;
  if not found then
    raise exception 'No trigger notes the writes of ${UNAUDITED_NOTICES}: there is nothing to compare with.';
  end if;
end
$$`
