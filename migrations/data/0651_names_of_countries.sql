-- Up Migration
-- What countries are called, in many languages: the service fills it from its runtime (ICU).

create table country_names (
  name text collate "C" not null,
  country text not null,
  edition text not null,
  primary key (name, country)
);
comment on table country_names is E'@hidden\nNames of countries, as searching compares them. Not part of the API.';
comment on column country_names.name is E'@erase none: the name of a country\nThe telling words of a name.';
comment on column country_names.country is 'The country, ISO 3166-1 alpha-2.';
comment on column country_names.edition is 'The edition of the data that the name was taken from.';
select changes.watch('country_names') where current_schema() = 'public';
