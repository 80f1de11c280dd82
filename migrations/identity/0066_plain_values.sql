-- Up Migration

-- Addresses that pages link to: https, no user information, no character that is read in two ways. src/base/web-address.ts
-- has the same rule.
create function is_web_address(address text) returns boolean language sql immutable parallel safe as $$
  select length(address) <= 2000
    and address ~* '^https://([^][/?#@:]+|\[[0-9a-f:.]+\])(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?#]|$)'
    and address ~ '^[]!#$%&''()*+,./0-9:;=?@A-Z[_a-z~-]+$'
$$;

-- Names: one line, without characters that are not seen and change how the rest is read. src/base/plain-text.ts
create function is_plain_line(line text) returns boolean language sql immutable parallel safe as $$
  select line !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]'
$$;

-- What was stored before these rules: an address that breaks them is taken away, a name is cleaned.
alter table apps disable trigger user;
update apps set home_page = null where not minaret.is_web_address(home_page);
update apps set logo = null where not minaret.is_web_address(logo);
update apps set name = coalesce(nullif(trim(regexp_replace(name,
  '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+', ' ', 'g')), ''), '?')
where not minaret.is_plain_line(name);
alter table apps enable trigger user;
update users set picture = null where not minaret.is_web_address(picture);
update users set name = coalesce(nullif(trim(regexp_replace(name,
  '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+', ' ', 'g')), ''), '?')
where not minaret.is_plain_line(name);

-- Changes that wait and propose such a value have to be asked for again.
update app_changes set state = 'withdrawn', decided_at = now(), reason = 'An address or name in it is not allowed any more.'
where state = 'pending' and (not minaret.is_web_address(proposed ->> 'homePage')
  or not minaret.is_web_address(proposed ->> 'logo') or not minaret.is_plain_line(proposed ->> 'name'));

alter table apps add constraint apps_home_page_is_web_address check (is_web_address(home_page));
alter table apps add constraint apps_logo_is_web_address check (is_web_address(logo));
alter table apps add constraint apps_name_is_plain check (is_plain_line(name));
alter table users add constraint users_picture_is_web_address check (is_web_address(picture));
alter table users add constraint users_name_is_plain check (is_plain_line(name));
