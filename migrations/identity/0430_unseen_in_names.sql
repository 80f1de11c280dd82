-- Up Migration

-- Names that others are shown: besides what 0066 refuses, no characters of no width. With them two names look the same that are
-- not. Joiners (U+200C, U+200D) stay: Persian, Urdu, Bengali and emoji need them. src/base/plain-text.ts has the same rule.
create or replace function is_plain_line(line text) returns boolean language sql immutable parallel safe as $$
  select line !~ '[\u0001-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]'
$$;

create function plain_line(line text) returns text language sql immutable parallel safe as $$
  select trim(regexp_replace(line,
    '[\u0001-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]+', ' ', 'g'))
$$;

-- Changes that wait and propose such a name have to be asked for again.
update app_changes set state = 'withdrawn', decided_at = now(), reason = 'A name in it is not allowed any more.'
where state = 'pending' and not minaret.is_plain_line(proposed ->> 'name');

-- What was stored before is cleaned. A row that must not change for another reason keeps its name.
do $$
declare
  target text;
  spare text;
begin
  for target, spare in values ('users', ''), ('apps', ''), ('api_keys', ''), ('passkeys', ''), ('screens', ''),
    ('saved_queries', ' || '' '' || left(id::text, 8)'), ('webhook_endpoints', null) loop
    begin
      if spare is null then
        execute format('update minaret.%I set description = minaret.plain_line(description) where not minaret.is_plain_line(description)', target);
      else
        execute format('update minaret.%I set name = coalesce(nullif(minaret.plain_line(name), ''''), ''?'')%s where not minaret.is_plain_line(name)', target, spare);
      end if;
    exception when others then
      raise warning 'names of % stay as they are: %', target, sqlerrm;
    end;
  end loop;
end
$$;

alter table api_keys add constraint api_keys_name_is_plain check (is_plain_line(name)) not valid;
alter table passkeys add constraint passkeys_name_is_plain check (is_plain_line(name)) not valid;
alter table screens add constraint screens_name_is_plain check (is_plain_line(name)) not valid;
alter table saved_queries add constraint saved_queries_name_is_plain check (is_plain_line(name)) not valid;
