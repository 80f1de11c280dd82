// A server that acts for itself: it keeps its token, renews it in time, and shows the events of the coming week.
// CLIENT_ID=… CLIENT_SECRET=… node examples/client-credentials/server.mjs
import { createServer } from 'node:http'

const base = process.env.MINARET_URL ?? 'http://localhost:3000'
const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env
const port = Number(process.env.PORT ?? 8080)
const EARLY_MS = 60_000

if (!clientId || !clientSecret) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of an approved confidential app. `npm start` prints one.')
  process.exit(2)
}

const fetchToken = async () => {
  const response = await fetch(`${base}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'masjid:read events:read' }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${body.error}: ${body.error_description}`)
  return { token: body.access_token, until: Date.now() + body.expires_in * 1000 - EARLY_MS }
}

let kept

/** One token for all requests, renewed a minute before it expires. Requests in the meantime share the same renewal. */
const currentToken = async () => {
  const { token, until } = (await kept) ?? { until: 0 }
  if (Date.now() < until) return token
  kept = fetchToken()
  kept.catch(() => {
    kept = undefined
  })
  return (await kept).token
}

const query = `query Week($from: timestamptz!, $until: timestamptz!) {
  up_event_occurrences(
    where: {starts_at: {_gte: $from, _lt: $until}, status: {_eq: scheduled}}
    order_by: [{starts_at: asc}, {id: asc}]
    limit: 50
  ) {
    starts_at
    event { title category }
    masjid { name city timezone }
  }
}`

const week = () => ({
  from: new Date().toISOString(),
  until: new Date(Date.now() + 7 * 86_400_000).toISOString(),
})

const ask = async () => {
  const response = await fetch(`${base}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await currentToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: week() }),
  })
  // The token may be revoked early: the app was suspended, or the secret revoked.
  if (response.status === 401) kept = undefined
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data.up_event_occurrences
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = text => text.replace(/[&<>"]/g, letter => escapes[letter])

const localTime = ({ starts_at, masjid }) =>
  new Date(starts_at).toLocaleString('en', {
    timeZone: masjid.timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })

const pageOf = occurrences => `<!doctype html><meta charset="utf-8"><title>Events this week</title>
<h1>Events this week</h1><ul>
${occurrences
  .map(
    one =>
      `<li>${localTime(one)}: <b>${escapeHtml(one.event.title)}</b>, ${escapeHtml(one.masjid.name)}, ${escapeHtml(one.masjid.city)}`,
  )
  .join('\n')}
</ul>`

const server = createServer(async (request, response) => {
  if (request.url !== '/') return response.writeHead(404).end()
  try {
    const page = pageOf(await ask())
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  } catch (error) {
    console.error(error.message)
    response.writeHead(502, { 'content-type': 'text/plain' }).end('Minaret did not answer. The log says why.')
  }
})
server.listen(port, '127.0.0.1', () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  console.log(`Open http://127.0.0.1:${address.port}/`)
})
