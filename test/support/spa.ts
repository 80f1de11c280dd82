// A single-page app as people write them, with oidc-client-ts, on its own origin.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SpaServer {
  readonly origin: string
  close(): Promise<void>
}

const library = new URL('../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js', import.meta.url)

const page = (settings: object): string => `<!doctype html>
<meta charset="utf-8"><title>A single-page app</title>
<script src="/oidc-client-ts.js"></script>
<button id="sign-in">Enter</button><pre id="state"></pre>
<script type="module">
const { UserManager, WebStorageStateStore } = oidc
const manager = new UserManager({ ...${JSON.stringify(settings)},
  userStore: new WebStorageStateStore({ store: sessionStorage }) })
const state = document.querySelector('#state')
const show = value => { state.textContent = JSON.stringify(value) }
const fail = error => show({ error: String(error.error ?? error.message ?? error) })
window.manager = manager
document.querySelector('#sign-in').onclick = () => manager.signinRedirect().catch(fail)
if (location.pathname === '/callback')
  manager.signinCallback().then(user => show({ user }), fail)
if (location.pathname === '/signed-out') show({ signedOut: true })
</script>
`

/** `settings` may depend on the origin, which is known only once the port is. */
export const startSpa = async (settingsFor: (origin: string) => object): Promise<SpaServer> => {
  let body = ''
  const server: Server = createServer(async (request, response) => {
    const script = request.url === '/oidc-client-ts.js' ? library : undefined
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script === undefined ? body : await readFile(script))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  body = page(settingsFor(origin))
  return {
    origin,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
