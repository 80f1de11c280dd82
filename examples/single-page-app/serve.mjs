// Serves the example's files and its settings; any web server would do.
// CLIENT_ID=… node examples/single-page-app/serve.mjs
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const minaret = process.env.MINARET_URL ?? 'http://localhost:3000'
const clientId = process.env.CLIENT_ID
const port = Number(process.env.PORT ?? 8080)

if (!clientId) {
  console.error('Set CLIENT_ID to the client_id of an approved public app. `npm start` prints one.')
  process.exit(2)
}

const read = name => readFileSync(new URL(name, import.meta.url))
const library = createRequire(import.meta.url).resolve('oidc-client-ts/package.json')
const page = ['text/html; charset=utf-8', read('./index.html')]

const files = {
  '/': page,
  '/callback': page,
  '/app.js': ['text/javascript', read('./app.js')],
  '/style.css': ['text/css', read('./style.css')],
  '/oidc-client-ts.js': [
    'text/javascript',
    read(library.replace('package.json', 'dist/browser/oidc-client-ts.min.js')),
  ],
  '/settings.json': ['application/json', JSON.stringify({ minaret, clientId })],
}

const server = createServer((request, response) => {
  const file = files[new URL(request.url, 'http://local').pathname]
  if (file === undefined) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': file[0], 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  response.end(file[1])
})
server.listen(port, '127.0.0.1', () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  const origin = `http://127.0.0.1:${address.port}`
  console.log(`Register this redirect URI: ${origin}/callback\nThen open ${origin}/`)
})
