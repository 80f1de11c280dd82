-- Up Migration

-- Each row of the view is worked out: counting all of them takes seconds, and nobody needs it. The annotation has the API refuse it
-- before it runs, with a word on what to filter by.
do $$
begin
  execute format('comment on view pc_prayer_times is %L',
    regexp_replace(obj_description('pc_prayer_times'::regclass), E'\n(?!@)', E'\n@totals_by masjid_id, date\n'));
end
$$;
