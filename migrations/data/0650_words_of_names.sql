-- Up Migration
-- What a search compares: names and places as words, whatever the script, kept in tables whose indexes give the first few rows of a
-- beginning at once, however many rows there are.

-- Independent of the database's locale: in a Turkish one, lower('I') is no i.
create function search_words(value text) returns text[]
language plpgsql immutable strict parallel safe set search_path from current as $$
declare
  plain text := left(value, 300);
  part text;
  words text[] := '{}';
begin
  plain := translate(plain, '''’‘ʿʾʼʻ`´', '');
  if octet_length(plain) = length(plain) then
    plain := regexp_replace(lower(plain collate "C"), '[^a-z0-9]+', ' ', 'g');
  else
    -- without the vowel signs of Arabic, tatweel, joiners and combining accents
    plain := regexp_replace(normalize(plain, nfkc), U&'[\0610-\061A\0640\064B-\065F\0670\06D6-\06ED\200B-\200F\0300-\036F]', '', 'g');
    plain := translate(lower(unaccent('unaccent'::regdictionary, plain) collate "C"),
      'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҰҮҺІЎЈЉЊЋЂҖҠҘҪΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩёйأإآٱىیېےئؤةہھەۀۃکڪ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      'абвгдеежзииклмнопрстуфхцчшщъыьэюяәғқңөұүһіўјљњћђҗҡҙҫαβγδεζηθικλμνξοπρστυφχψωеиاااايييييوههههههكك01234567890123456789');
    plain := translate(plain, '''', '');
    -- whatever is no letter and no digit
    plain := regexp_replace(plain, U&'[\0001-\002F\003A-\0040\005B-\0060\007B-\00BF\00D7\00F7\02B0-\02FF\060C\061B\061F\066A-\066D\06D4\0964\0965\2000-\206F\20A0-\20CF\2100-\2BFF\2E00-\2E7F\3000-\3004\3008-\3020\3030\30FB\A830-\A839\E000-\F8FF\FD3E\FD3F\FE00-\FE1F\FE30-\FE6F\FF00-\FF0F\+01F000-\+01FAFF\+0E0000-\+0E01EF]+',
      ' ', 'g');
  end if;
  foreach part in array string_to_array(plain, ' ') loop
    continue when part = '';
    exit when cardinality(words) = 16;
    -- an Arabic article is part of its word
    words := words || left(case when left(part, 2) = 'ال' and length(part) > 3 then substr(part, 3) else part end, 40);
  end loop;
  return words;
end
$$;
comment on function search_words is E'@hidden\nThe first 16 words of a text, as searching compares them: in small letters, without accents, with one form of each letter.';

-- Noor, Nur and Nour are one name, and so are نور, Нур and নূর: a key keeps the consonants, one for those that scripts and languages write
-- for each other. What has none is its own key.
create function search_key(word text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  key text := word;
  letter text;
begin
  if left(key, 2) = 'al' and length(key) > 4 and substr(key, 3, 1) !~ '[aeiou]' then
    key := substr(key, 3);
  end if;
  if key ~ 'h' then
    foreach letter in array '{b,d,g,k,s,t,z}'::text[] loop
      key := replace(key, letter || 'h', letter);
    end loop;
    key := replace(replace(key, 'ph', 'f'), 'ch', '1');
  end if;
  key := replace(replace(key, 'c', 'k'), 'q', 'k');
  if octet_length(key) = length(key) then
    key := translate(key, '1aeiouywv', 'c');
  else
    key := translate(key,
      '1بپتطثٹجحهخكقدضڈرڑزظذژسشصغگفلمنںچбгғдђжҗзҙкқҡлљмнңњпрсшщцҫтћфхһчјকখগঘঙঞণনংচছজঝযটঠতথৎডঢদধপফবভমরলশষসহकखगघङञणनंचछजझटठतथडढदधपफबभमरलशषसहaeiouywvاويعءآъьыэюяаеиоуәөүұіўвйঅআইঈউঊঋএঐওঔািীুূৃেৈোৌ়্ঃঁअआइईउऊऋएऐओऔािीुूृेैोौ़्ःँयव',
      'cbpttttjhhkkkdddrrzzzzsssggflmnncbggddjjzzkkkllmnnnprsssssttfhhcjkkggnnnnnccjjjtttttddddpfbbmrlssshkkggnnnnnccjjttttddddpfbbmrlsssh');
  end if;
  foreach letter in array '{b,c,d,f,g,h,j,k,l,m,n,p,r,s,t,x,z}'::text[] loop
    key := replace(key, letter || letter, letter);
  end loop;
  if length(key) > 1 then
    key := rtrim(key, 'h');
  end if;
  return left(coalesce(nullif(key, ''), word), 12);
end
$$;
comment on function search_key is E'@hidden\nThe consonants of a word as it sounds, in Latin letters: alike for the ways in which a name is spelt.';

create function is_general_word(word text) returns boolean
language sql immutable strict parallel safe
begin atomic;
  select $1 = any ('{masjid,masjed,masjeed,masjd,masijd,mosq,mosqe,mosqu,mosuqe,mosqeu,mesjid,masgid,mosque,mosquee,moschee,moskee,moske,moscheea,mezquita,mesquita,moschea,mescid,mescit,mescidi,camii,cami,camisi,
    dzamija,dzamije,xhami,xhamia,musalla,musholla,mushola,mushalla,surau,langgar,masallaci,masallacin,msikiti,masjidka,masjidi,
    jami,jamia,jame,jama,jamaa,jaame,jamaat,islam,islamic,islamisches,islamische,islamique,islamico,islamica,islamitisch,islamski,center,centre,centro,centrum,zentrum,centar,
    مسجد,جامع,مصلي,مركز,اسلامي,মসজিদ,জামে,मस्जिद,मसजिद,जामा,мечеть,мечит,мечет,мешит,мешіт,масжид,清真寺,มัสยิด,모스크,モスク,τζαμι}'::text[]);
end;
comment on function is_general_word is E'@hidden\nWhether a word says no more than that it is a masjid, in any language.';

create function is_particle(word text) returns boolean
language sql immutable strict parallel safe
begin atomic;
  select $1 = any ('{al,an,ar,as,at,ad,az,ash,el,en,er,es,et,ul,ur,us,of,the,de,du,des,la,le,les,der,die,das,und,and,in,im,e,i,y,ال,و,في}'::text[]);
end;
comment on function is_particle is E'@hidden\nWhether a word is an article, or joins others.';

create function telling_words(words text[]) returns text[]
language plpgsql immutable strict parallel safe set search_path from current as $$
declare
  word text;
  telling text[] := '{}';
  named text[] := '{}';
begin
  foreach word in array words loop
    continue when is_particle(word);
    named := named || word;
    continue when is_general_word(word);
    telling := telling || word;
  end loop;
  return case when telling <> '{}' then telling when named <> '{}' then named else words end;
end
$$;
comment on function telling_words is E'@hidden\nThe words that tell one masjid from another; all of them if none does.';

create table masjid_words (
  masjid_id uuid primary key,
  document text not null,
  names text not null,
  city text collate "C" not null,
  country text not null,
  letters smallint not null,
  latitude double precision not null,
  longitude double precision not null
);
comment on table masjid_words is E'@hidden\n@made_of up_masjids\nWhat searching compares of each masjid. Not part of the API.';
comment on column masjid_words.masjid_id is 'The masjid; none that was deleted.';
comment on column masjid_words.document is 'Words of its names, city and state, its country after #, and what the words sound like after ~, each between blanks.';
comment on column masjid_words.names is 'Words of its names alone.';
comment on column masjid_words.city is 'Words of its city.';
comment on column masjid_words.country is 'Its country.';
comment on column masjid_words.letters is 'How many letters the shorter of its names has, without what every masjid is called.';
comment on column masjid_words.latitude is 'Degrees north.';
comment on column masjid_words.longitude is 'Degrees east.';

-- Each name from each of its words on: of any beginning, an index has the first rows at hand.
create table masjid_terms (
  term text collate "C" not null,
  masjid_id uuid not null,
  city text collate "C" not null,
  country text not null
);
create index masjid_terms_term on masjid_terms (term, masjid_id);
create index masjid_terms_city on masjid_terms (city, term, masjid_id);
create index masjid_terms_country on masjid_terms (country, term, masjid_id);
create index masjid_terms_masjid on masjid_terms (masjid_id);
comment on table masjid_terms is E'@hidden\n@made_of up_masjids\nThe names of masjids, turned round so that each of their words comes first. Not part of the API.';
comment on column masjid_terms.term is 'A name from one of its words on, then the words before it; or its state.';
comment on column masjid_terms.masjid_id is 'The masjid.';
comment on column masjid_terms.city is 'Words of its city.';
comment on column masjid_terms.country is 'Its country.';

-- No unique key: of two that write the same new word at once, neither waits.
create table known_words (
  key text collate "C" not null,
  word text collate "C" not null,
  is_cut boolean not null
);
create index known_words_key on known_words (key, is_cut, word);
create index known_words_word on known_words (word);
comment on table known_words is E'@hidden\n@made_of up_masjids\nWords of names and cities by what they sound like, and by that with one letter less. Words that are no longer used stay. Not part of the API.';
comment on column known_words.key is 'What the word sounds like.';
comment on column known_words.word is 'The word.';
comment on column known_words.is_cut is 'Whether one letter of the key was left out.';

create function cut_keys(key text) returns setof text
language sql immutable strict parallel safe
begin atomic;
  select distinct overlay($1 placing '' from at for 1) from generate_series(1, length($1)) at where length($1) > 3;
end;
comment on function cut_keys is E'@hidden\nA key with one letter left out: words that differ by a letter have one in common.';

-- A name, turned round: of the words that every masjid has, the first is enough.
create function name_terms(words text[], telling text[]) returns setof text
language plpgsql immutable strict parallel safe set search_path from current as $$
declare
  general boolean := false;
begin
  for at in 1 .. least(cardinality(words), 8) loop
    if words[at] = any (telling) or not general and is_general_word(words[at]) then
      general := general or is_general_word(words[at]);
      return next left(array_to_string(words[at:] || words[:at - 1], ' '), 120);
    end if;
  end loop;
end
$$;
comment on function name_terms is E'@hidden\nA name from each of its telling words on, then the words before it.';

create function write_masjid_words(masjids uuid[]) returns void
language plpgsql security definer set search_path from current as $$
begin
  delete from masjid_terms where masjid_id = any (masjids);
  delete from masjid_words where masjid_id = any (masjids);
  with split as materialized (
    select masjid.id, masjid.country, masjid.latitude, masjid.longitude, search_words(masjid.name) as name,
      coalesce(search_words(nullif(masjid.name_ar, masjid.name)), '{}') as name_ar, search_words(masjid.city) as city,
      coalesce(search_words(masjid.state), '{}') as state
    from up_masjids masjid where masjid.id = any (masjids) and masjid.deleted_at is null
  ), told as materialized (
    select split.*, array_to_string(telling_words(split.city), ' ') as city_words, telling_words(name) as telling, telling_words(name_ar) as telling_ar from split
  ), used as materialized (
    select distinct word from told cross join lateral unnest(telling || telling_ar || city || state) word
  ), keyed as materialized (
    select word, search_key(word) as key from used
  ), sound as (
    select told.id, string_agg(distinct '~' || keyed.key, ' ') as keys
    from told cross join lateral unnest(telling || telling_ar || city) word join keyed using (word)
    group by told.id
  ), written as (
    insert into masjid_words (masjid_id, document, names, city, country, letters, latitude, longitude)
    select id, ' ' || array_to_string(name || name_ar || city || state, ' ') || ' #' || lower(country) || ' ' || coalesce(sound.keys || ' ', ''),
      ' ' || array_to_string(name || name_ar, ' ') || ' ',
      city_words, country, least(length(array_to_string(telling, '')), nullif(length(array_to_string(telling_ar, '')), 0)), latitude, longitude
    from told left join sound using (id)
  ), term as (
    insert into masjid_terms (term, masjid_id, city, country)
    select distinct led.term, told.id, city_words, told.country
    from told cross join lateral (
      select name_terms(name, telling) as term union all select name_terms(name_ar, telling_ar)
      union all select array_to_string(state, ' ') where state <> '{}' and state <> city
    ) led
    order by 1
  )
  insert into known_words (key, word, is_cut)
  select forms.key, keyed.word, forms.is_cut
  from keyed
  cross join lateral (select keyed.key, false as is_cut union all select cut_keys(keyed.key), true) forms
  -- counted, as an anti-join would read all known words for one masjid
  where length(keyed.word) > 1 and (select count(*) from (select from known_words known where known.word = keyed.word limit 1) known) = 0;
end
$$;
comment on function write_masjid_words is E'@hidden\nBrings what is searched of some masjids up to date.';

create function follow_masjid_words() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  changed uuid[];
begin
  if tg_op = 'INSERT' then
    changed := array(select id from after where deleted_at is null);
  elsif tg_op = 'DELETE' then
    changed := array(select id from before);
  else
    changed := array(select id from after join before using (id)
      where (after.name, after.name_ar, after.city, after.state, after.country, after.latitude, after.longitude, after.deleted_at)
        is distinct from (before.name, before.name_ar, before.city, before.state, before.country, before.latitude, before.longitude, before.deleted_at));
  end if;
  if changed <> '{}' then
    perform write_masjid_words(changed);
  end if;
  return null;
end
$$;
comment on function follow_masjid_words is 'Keeps what is searched in step with masjids.';
create trigger follow_inserted_words after insert on up_masjids referencing new table as after
  for each statement execute function follow_masjid_words();
create trigger follow_updated_words after update on up_masjids referencing old table as before new table as after
  for each statement execute function follow_masjid_words();
create trigger follow_deleted_words after delete on up_masjids referencing old table as before
  for each statement execute function follow_masjid_words();

select write_masjid_words(array(select id from up_masjids where deleted_at is null));
revoke execute on function write_masjid_words from public;
select pin_search_paths();
