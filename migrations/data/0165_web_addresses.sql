-- Up Migration

-- Addresses that pages and apps link to: https alone, no user information (https://accounts.example@evil.test), no blanks,
-- quotes or other characters that are read in two ways.
create or replace function is_web_address(address text) returns boolean
language sql immutable parallel safe
begin atomic;
  select length(address) <= 2000
    and address ~* '^https://([^][/?#@:[:space:]]+|\[[0-9a-f:.]+\])(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?#]|$)'
    and address !~ '[[:space:][:cntrl:]<>"`\\^{|}\u202a-\u202e\u2066-\u2069]';
end;
comment on function is_web_address is 'Whether a text is an absolute https address without user information.';

-- What was stored before: http becomes https, user information and odd characters are taken out. A website that cannot
-- be mended goes. Events and sources keep theirs, since they must have one, until somebody edits them.
create function mended_web_address(address text) returns text
language sql immutable
begin atomic;
  select regexp_replace(regexp_replace(regexp_replace(address, '[[:space:][:cntrl:]<>"`\\^{|}\u202a-\u202e\u2066-\u2069]', '', 'g'),
    '^https?://', 'https://', 'i'), '^https://[^/?#]*@', 'https://');
end;
update up_entities set website = case when is_web_address(mended_web_address(website)) then mended_web_address(website) end
where not is_web_address(website);
update up_masjids set website = case when is_web_address(mended_web_address(website)) then mended_web_address(website) end
where not is_web_address(website);
update up_events set online_url = mended_web_address(online_url)
where not is_web_address(online_url) and is_web_address(mended_web_address(online_url));
update pc_prayer_sources set url = mended_web_address(url)
where not is_web_address(url) and is_web_address(mended_web_address(url));
drop function mended_web_address(text);
