-- Up Migration
-- Searching as people type: by names in any script, by city, state and country, near a place or not. What it costs is bounded, whatever is
-- asked and however many masjids there are: each way in which words may be meant is the beginning of an index, read no further than a limit.

create function checked_search_place(latitude double precision, longitude double precision) returns boolean
language plpgsql immutable parallel safe set search_path from current as $$
begin
  if (latitude is null) <> (longitude is null) then
    raise exception '% is missing: a place needs both latitude and longitude.', case when latitude is null then 'latitude' else 'longitude' end
      using errcode = 'invalid_parameter_value';
  end if;
  return latitude is null or checked_place(latitude, longitude, 0);
end
$$;
comment on function checked_search_place is E'@hidden\nTrue for a place on the earth, or none; anything else, half a place too, is an error.';

create function great_circle_km(latitude double precision, longitude double precision, other_latitude double precision, other_longitude double precision)
returns double precision
language sql immutable parallel safe
begin atomic;
  select 2 * 6371.0088 * asin(least(1, sqrt(power(sin(radians($3 - $1) / 2), 2)
    + cos(radians($1)) * cos(radians($3)) * power(sin(radians($4 - $2) / 2), 2))));
end;
comment on function great_circle_km is E'@hidden\nThe distance between two places, in kilometres as the crow flies.';

-- A word as it may be meant. Weights say how well what is found by it fits: the word itself 1, its beginning less, another spelling less again.
create type meant_word as (at integer, word text, weight double precision);

create function words_like(word text, is_unknown boolean) returns table (other text, weight double precision)
language plpgsql stable parallel safe security definer rows 5 set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  sound text := search_key(word);
begin
  return query
  select mate.word, mate.weight from (
    (select known.word, 0.7::double precision as weight from known_words known
     where known.key = sound and not known.is_cut and length(sound) > 1 order by known.key, known.is_cut, known.word limit 40)
    union all
    select known.word, 0.5 from (select sound as key union all select cut_keys(sound)) form
    cross join lateral (select near.word from known_words near where near.key = form.key order by near.key, near.is_cut, near.word limit 12) known
    where is_unknown and length(sound) > 2 and search_key(known.word) <> sound
  ) mate
  cross join lateral (select count(*) as times from (
    select from masjid_terms term where term.term >= mate.word and term.term < mate.word || chr(1114111) order by term.term limit 10) few) used
  where mate.word <> $1
  group by mate.word, mate.weight, used.times
  order by mate.weight desc, (used.times + 1) * (0.2 + similarity(mate.word, $1)) desc, mate.word
  limit 5;
end
$$;
comment on function words_like is E'@hidden\n@reads up_masjids\nWords of the directory that sound like one, the usual ones first; of an unknown one also those that differ by a letter.';

create function found_masjids(search text, latitude double precision, longitude double precision)
returns table (masjid_id uuid, place bigint)
language plpgsql stable parallel safe security definer cost 20000 rows 100 set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
declare
  last constant text := chr(1114111);
  given_words text[] := search_words(search);
  words text[] := (telling_words(given_words))[1:6];
  typed text := ' ' || array_to_string(given_words, ' ') || ' ';
  best text[];
  meant meant_word[];
  probes integer;
  each_limit integer;
  cities text[];
  city_from integer[];
  city_to integer[];
  countries text[];
  country_from integer[];
  country_to integer[];
begin
  if cardinality(words) = 0 then
    return;
  end if;

  -- What each word may be: itself, or, unless it is only the beginning of one, another that sounds the same.
  select array_agg((given.at, spelt.word, spelt.weight)::meant_word order by given.at, spelt.weight desc),
    array_agg(spelt.word order by given.at) filter (where spelt.is_best)
  into meant, best
  from unnest(words) with ordinality given (word, at)
  cross join lateral (select
    exists (select from known_words known where known.word = given.word) as is_word,
    exists (select from masjid_terms term where term.term >= given.word and term.term < given.word || last)
      or exists (select from masjid_terms term where term.city >= given.word and term.city < given.word || last)
      or exists (select from country_names country where country.name >= given.word and country.name < given.word || last) as begins
  ) known
  cross join lateral (
    select all_spelt.word, all_spelt.weight, row_number() over (order by all_spelt.weight desc, all_spelt.at) = 1 as is_best
    from (
      select given.word, case when known.begins then 1 else 0.1 end::double precision as weight, 0 as at
      union all
      select likely.other, likely.weight, likely.at::integer
      from words_like(given.word, not known.begins) with ordinality likely (other, weight, at)
      where known.is_word or not known.begins
    ) all_spelt
  ) spelt;

  -- Which of them, together, are a city or a country, or the beginning of one.
  select array_agg(found.city), array_agg(found.low), array_agg(found.high) into cities, city_from, city_to from (
    select distinct on (named.city) named.city, low, high
    from generate_series(1, cardinality(best)) low
    cross join lateral generate_series(low, least(low + 2, cardinality(best))) high
    cross join lateral (select array_to_string(best[low:high], ' ') as name) span
    cross join lateral (
      with recursive next (city, nth) as (
        (select term.city, 1 from masjid_terms term where term.city >= span.name and term.city < span.name || last order by term.city limit 1)
        union all
        select (select term.city from masjid_terms term where term.city > next.city and term.city < span.name || last order by term.city limit 1), nth + 1
        from next where next.city is not null and next.nth < 6
      )
      -- only what was typed last may be the beginning of a name
      select next.city from next
      where next.city is not null and (next.city = span.name or high = cardinality(best) and length(span.name) > 1)
    ) named
    order by named.city, high - low desc
    limit 8
  ) found;
  select array_agg(found.country), array_agg(found.low), array_agg(found.high) into countries, country_from, country_to from (
    select distinct on (named.country) named.country, low, high
    from generate_series(1, cardinality(best)) low
    cross join lateral generate_series(low, least(low + 3, cardinality(best))) high
    cross join lateral (select array_to_string(best[low:high], ' ') as name) span
    cross join lateral (
      select country.country from country_names country
      where country.name >= span.name
        and country.name < case when high = cardinality(best) and length(span.name) > 3 then span.name || last else span.name || chr(1) end
      order by country.name, country.country limit 3
    ) named
    order by named.country, high - low desc
    limit 4
  ) found;

  probes := cardinality(meant) * (1 + coalesce(cardinality(cities), 0) + coalesce(cardinality(countries), 0)) + 1;
  each_limit := greatest(40, 800 / probes);

  return query
  with pattern as materialized (
    select meant.at, ' ' || meant.word || ' ' as text, meant.weight from unnest(meant) meant
    union all
    select given.at, ' ' || given.word, 0.75 from unnest(words) with ordinality given (word, at)
    union all
    select given.at, ' ~' || search_key(given.word) || ' ', 0.6 from unnest(words) with ordinality given (word, at)
    where length(search_key(given.word)) > 1
    union all
    select at, ' #' || lower(named.country) || ' ', 0.95
    from unnest(countries, country_from, country_to) named (country, low, high) cross join lateral generate_series(low, high) at
  ), read as (
    select term.masjid_id from (select array_to_string(best, ' ') as name) phrase
    cross join lateral (select masjid_id from masjid_terms term where term.term >= phrase.name and term.term < phrase.name || last
      order by term.term, term.masjid_id limit 200) term
    union all
    select term.masjid_id from unnest(cities, city_from, city_to) named (city, low, high)
    cross join lateral (
      select term.masjid_id from unnest(meant) word
      cross join lateral (select masjid_id from masjid_terms term where term.city = named.city and term.term >= word.word and term.term < word.word || last
        order by term.city, term.term, term.masjid_id limit each_limit) term
      where word.at not between named.low and named.high
      union all
      (select masjid_id from masjid_terms term where term.city = named.city order by term.city, term.term, term.masjid_id
        limit case when named.high - named.low + 1 = cardinality(best) then 800 / cardinality(cities) else each_limit end)
    ) term
    union all
    select term.masjid_id from unnest(countries, country_from, country_to) named (country, low, high)
    cross join lateral (
      select term.masjid_id from unnest(meant) word
      cross join lateral (select masjid_id from masjid_terms term where term.country = named.country and term.term >= word.word and term.term < word.word || last
        order by term.country, term.term, term.masjid_id limit each_limit) term
      where word.at not between named.low and named.high
      union all
      (select masjid_id from masjid_terms term where term.country = named.country order by term.country, term.term, term.masjid_id
        limit case when named.high - named.low + 1 = cardinality(best) then 800 / cardinality(countries) else each_limit end)
    ) term
    union all
    select term.masjid_id from unnest(meant) word
    cross join lateral (select masjid_id from masjid_terms term where term.term >= word.word and term.term < word.word || last
      order by term.term, term.masjid_id limit each_limit) term
  ), candidate as (
    select distinct masjid_id from (
      select masjid_id from (select masjid_id from read limit 1600) bounded
      union all
      (select masjid.id from up_masjids masjid where found_masjids.latitude is not null
       order by earth_point(masjid.latitude, masjid.longitude) <-> earth_point(found_masjids.latitude, found_masjids.longitude) limit 300)
    ) all_read
  ), scored as (
    select known.masjid_id, known.names, fit.matched, fit.weight / cardinality(words) * 0.75
      -- how much of the name was typed, and of the city; and whether it was typed as it is
      + 0.15 * least(1, coalesce(fit.letters, 0)::double precision / greatest(known.letters, 1))
      + 0.1 * least(1, coalesce(fit.city_letters, 0)::double precision / greatest(length(replace(known.city, ' ', '')), 1))
      + case when strpos(known.names, typed) > 0 then 0.02 else 0 end as score,
      case when found_masjids.latitude is null then 0 else 0.3 / (1 + great_circle_km(found_masjids.latitude, found_masjids.longitude, known.latitude, known.longitude) / 25) end as nearness
    from candidate join masjid_words known using (masjid_id)
    cross join lateral (
      select count(*) as matched, sum(word.weight) as weight, sum(length(words[word.at])) filter (where word.is_name) as letters,
        sum(length(words[word.at])) filter (where word.is_city) as city_letters
      from (
        select pattern.at, max(pattern.weight) as weight, bool_or(strpos(known.names, pattern.text) > 0) as is_name,
          bool_or(strpos(' ' || known.city || ' ', pattern.text) > 0) as is_city
        from pattern where strpos(known.document, pattern.text) > 0 group by pattern.at
      ) word
    ) fit
    where fit.matched > 0
  ), best_match as (
    select max(matched) as matched from scored
  )
  select scored.masjid_id, row_number() over (order by scored.score + scored.nearness desc, scored.names, scored.masjid_id)
  from scored, best_match
  -- with all of the words, or with most of them
  where scored.matched = best_match.matched and scored.matched * 2 >= cardinality(words);
end
$$;
comment on function found_masjids is
  E'@hidden\n@reads up_masjids, country_names\nThe masjids that fit a search, and the place of each among them: some hundreds at most, the best ones.';

-- contract: calls with one argument find the function below, which has the same name, and defaults for the rest
drop function up_masjids_search(text);
create function up_masjids_search(search text, latitude double precision default null, longitude double precision default null)
returns setof up_masjids
language sql stable parallel safe
begin atomic;
  select masjid.* from found_masjids($1, $2, $3) found join up_masjids masjid on masjid.id = found.masjid_id
  where masjid.deleted_at is null and checked_search_place($2, $3)
  order by found.place;
end;
comment on function up_masjids_search is
  E'@reads up_masjids, country_names\nMasjids whose name, city or country is like the words searched for, best first, some hundreds at most; forgives accents, spelling and script. With a latitude and longitude, those near them come before others that fit as well.';
select pin_search_paths();
