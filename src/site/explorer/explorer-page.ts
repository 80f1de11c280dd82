// The endpoints and the initial query → the explorer: GraphiQL with a gallery and a field for a credential.
import { icon, styleSheet } from '../frame/assets.ts'
import { mark } from '../frame/mark.ts'
import { attributes, type Html, html, rawHtml } from '../pieces/html.ts'
import type { ExampleQuery } from './example-queries.ts'
import { explorerScripts, explorerStyles } from './explorer-assets.ts'

export interface Endpoint {
  readonly name: string
  readonly url: string
}

export interface ExplorerInput {
  readonly baseUrl: string
  /** The first is selected initially. */
  readonly endpoints: readonly Endpoint[]
  readonly examples: readonly ExampleQuery[]
  /** The editor's initial content. */
  readonly query: string
  readonly testKey: string
}

/** JSON inside a script element: nothing in it may close the element. */
const dataBlock = (id: string, value: unknown): Html =>
  html`<script type="application/json" id="${id}">${rawHtml(JSON.stringify(value).replaceAll('<', '\\u003c'))}</script>`

const gallery = (examples: readonly ExampleQuery[]): Html =>
  html`<nav class="gallery" aria-label="Example queries"><ul>${examples.map(
    ({ name, title, summary, needsKey }) =>
      html`<li><a href="?example=${name}" data-example="${name}" title="${summary}">${title}${needsKey && html` <span class="badge">test key</span>`}</a></li>`,
  )}</ul></nav>`

const endpointChoice = (endpoints: readonly Endpoint[]): Html =>
  html`<label class="choice"${attributes({ hidden: endpoints.length < 2 })}><span>Ask</span>
<select id="endpoint">${endpoints.map(({ name, url }) => html`<option value="${url}">${name}</option>`)}</select></label>`

const credentialField = html`<label class="choice credential"><span>Credential</span>
<input id="credential" type="password" autocomplete="off" spellcheck="false" placeholder="API key or access token"
 aria-describedby="credential-note"></label>
<button type="button" id="use-test-key" class="link-button">Use the public test key</button>
<span id="credential-note" class="visually-hidden">Kept in the memory of this page only, and gone when you leave it.</span>`

const withoutScript = ({ endpoints }: ExplorerInput): Html => html`<noscript><div class="content">
<h1>The explorer needs JavaScript</h1><p>The endpoint does not. Ask it from a terminal:</p>
<pre class="code">curl ${endpoints[0]?.url} -H 'Content-Type: application/json' -d '{"query":"{ up_masjids(limit: 5) { name city } }"}'</pre>
</div></noscript>`

export const explorerPage = (input: ExplorerInput): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explorer · Minaret</title>
${[styleSheet, ...explorerStyles].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
<link rel="icon" href="${icon.path}" type="image/svg+xml">
</head>
<body class="explorer">
<header class="explorer-header">
<a class="brand" href="${input.baseUrl}/">${mark(28)}<span>Minaret</span></a>
<h1>Explorer</h1>
<a class="docs-link" href="${input.baseUrl}/docs">Documentation</a>
<form class="explorer-settings">${endpointChoice(input.endpoints)}${credentialField}</form>
</header>
${gallery(input.examples)}
<p id="live-status" role="status"></p>
<main id="explorer">${withoutScript(input)}</main>
${dataBlock('settings', { query: input.query, examples: input.examples, testKey: input.testKey })}
${explorerScripts.map(({ path }) => html`<script src="${path}" defer></script>`)}
</body>
</html>
`

/** The exceptions GraphiQL needs (inline styles, fonts in its style sheet); scripts only ever come from our own files. */
export const explorerPolicy = (endpoints: readonly Endpoint[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    `connect-src ${endpoints.map(({ url }) => new URL(url).origin).join(' ')}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
