-- Up Migration
-- Announcing a month is an upsert: of two who announce the same new month at once, neither fails and the later one stands.

create or replace function announce_hijri_month(
  hijri_year integer, hijri_month integer, starts_on date, masjid_id uuid default null, authority_id uuid default null
) returns uuid
language plpgsql set search_path from current as $$
#variable_conflict use_column
declare
  announcer constant uuid := coalesce(announce_hijri_month.authority_id, announce_hijri_month.masjid_id);
begin
  if num_nonnulls(announce_hijri_month.masjid_id, announce_hijri_month.authority_id) <> 1 then
    raise exception 'Say who announces: masjid_id or authority_id, one of them.' using errcode = 'invalid_parameter_value';
  end if;
  -- The lock of check_month_lengths, taken before any row: two transactions that each announce several months cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended(announcer::text, 6206151));
  -- Said again with the same day, the row stays as it is: a retry is no change.
  if announce_hijri_month.masjid_id is not null then
    insert into pc_hijri_months as known (masjid_id, hijri_year, hijri_month, starts_on, announced_at)
    values (announcer, announce_hijri_month.hijri_year, announce_hijri_month.hijri_month, announce_hijri_month.starts_on,
      clock_timestamp())
    on conflict (masjid_id, hijri_year, hijri_month) where masjid_id is not null and deleted_at is null
    do update set starts_on = excluded.starts_on, announced_at = excluded.announced_at
    where known.starts_on <> excluded.starts_on;
  else
    insert into pc_hijri_months as known (authority_id, hijri_year, hijri_month, starts_on, announced_at)
    values (announcer, announce_hijri_month.hijri_year, announce_hijri_month.hijri_month, announce_hijri_month.starts_on,
      clock_timestamp())
    on conflict (authority_id, hijri_year, hijri_month) where authority_id is not null and deleted_at is null
    do update set starts_on = excluded.starts_on, announced_at = excluded.announced_at
    where known.starts_on <> excluded.starts_on;
  end if;
  return (
    select id from pc_hijri_months known
    where known.deleted_at is null and announcer in (known.masjid_id, known.authority_id)
      and (known.hijri_year, known.hijri_month) = (announce_hijri_month.hijri_year, announce_hijri_month.hijri_month));
end
$$;
