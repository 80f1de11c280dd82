// The runtime's names of countries → country_names, unless the same or newer ones are there already.
import type pg from 'pg'
import { isOlderVersion } from '../../base/is-older-version.ts'
import { type DataSchema, dataSchemas } from '../data-schema.ts'
import { editionOfNames, namesOfCountries } from './names-of-countries.ts'

const isStored = async (client: pg.Client, schema: DataSchema, edition: string): Promise<boolean> => {
  const { rows } = await client.query<{ edition: string }>(`select distinct edition from ${schema}.country_names`)
  return rows.some(row => !isOlderVersion(row.edition, edition))
}

/** In one statement: nobody searches with half of them. Names that are no longer in use still find their country. */
const store = async (client: pg.Client, schema: DataSchema, edition: string): Promise<void> => {
  const names = namesOfCountries()
  await client.query(
    `insert into ${schema}.country_names (name, country, edition)
     select distinct array_to_string(${schema}.telling_words(${schema}.search_words(given.name)), ' '), given.country, $3
     from unnest($1::text[], $2::text[]) given (name, country)
     where ${schema}.search_words(given.name) <> '{}'
     on conflict (name, country) do update set edition = excluded.edition`,
    [names.map(({ name }) => name), names.map(({ country }) => country), edition],
  )
}

/** Whoever calls it holds the lock of migrations. */
export const fillCountryNames = async (client: pg.Client): Promise<void> => {
  const edition = editionOfNames()
  for (const schema of dataSchemas) if (!(await isStored(client, schema, edition))) await store(client, schema, edition)
}
