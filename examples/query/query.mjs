// Queries the sandbox for the masjids of a city, with variables, page by page. No credential needed.
// node examples/query/query.mjs Chicago
const endpoint = `${process.env.SANDBOX_URL ?? 'http://localhost:3001'}/v1/graphql`
const city = process.argv[2] ?? 'Chicago'
const PAGE = 3

const query = `query Masjids($city: String!, $limit: Int!, $offset: Int!) {
  up_masjids(where: {city: {_eq: $city}}, order_by: [{name: asc}, {id: asc}], limit: $limit, offset: $offset) {
    name
    address
    city
    state
  }
}`

const ask = async variables => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  // Decide by the code; the message is for people.
  if (errors) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`)
  return data.up_masjids
}

let offset = 0
for (;;) {
  const masjids = await ask({ city, limit: PAGE, offset })
  for (const { name, address, state } of masjids) console.log(`${name} · ${address}, ${city}, ${state}`)
  offset += masjids.length
  // A page that is not full is the last one.
  if (masjids.length < PAGE) break
}
console.log(`${offset} masjids in ${city}`)
