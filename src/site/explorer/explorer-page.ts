// The endpoints and the initial query → the explorer: GraphiQL between a gallery, a field for a credential and our tools.
import { directionOf } from '../../accounts/languages.ts'
import { icon, styleSheet } from '../frame/assets.ts'
import { languageLinks } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import type { View } from '../frame/view.ts'
import { attributes, type Html, html, rawHtml } from '../pieces/html.ts'
import { landPicture } from '../pieces/map/land.ts'
import { mapFrame, mapSize } from '../pieces/map/projection.ts'
import type { ExampleQuery } from './example-queries.ts'
import { explorerModules, explorerStyles, vendorScripts } from './explorer-assets.ts'
import { graphiqlWords } from './graphiql-words.ar.ts'
import { panels, type Saving, toolButtons } from './panel.ts'
import { type ExplorerTexts, explorerTexts } from './texts.ts'

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
  readonly saving: Saving
}

/** JSON inside a script element: nothing in it may close the element. */
const dataBlock = (id: string, value: unknown): Html =>
  html`<script type="application/json" id="${id}">${rawHtml(JSON.stringify(value).replaceAll('<', '\\u003c'))}</script>`

const gallery = (texts: ExplorerTexts, examples: readonly ExampleQuery[]): Html =>
  html`<nav class="gallery" aria-label="${texts.examplesLabel}"><ul>${examples.map(
    ({ name, title, summary, needsKey }) =>
      html`<li><a href="?example=${name}" data-example="${name}" title="${summary}">${title}${needsKey && html` <span class="badge">${texts.testKey}</span>`}</a></li>`,
  )}</ul></nav>`

const endpointChoice = (texts: ExplorerTexts, endpoints: readonly Endpoint[]): Html =>
  html`<label class="choice"${attributes({ hidden: endpoints.length < 2 })}><span>${texts.ask}</span>
<select id="endpoint">${endpoints.map(({ name, url }) => html`<option value="${url}">${name}</option>`)}</select></label>`

const credentialField = (
  texts: ExplorerTexts,
): Html => html`<label class="choice credential"><span>${texts.credential}</span>
<input id="credential" type="password" autocomplete="off" spellcheck="false" placeholder="${texts.credentialPlaceholder}"
 aria-describedby="credential-note"></label>
<button type="button" id="use-test-key" class="link-button">${texts.useTestKey}</button>
<span id="credential-note" class="visually-hidden">${texts.credentialNote}</span>`

const withoutScript = (texts: ExplorerTexts, { endpoints }: ExplorerInput): Html => html`<noscript><div class="content">
<h2>${texts.noScriptTitle}</h2><p>${texts.noScriptLead}</p>
<pre class="code" dir="ltr">curl ${endpoints[0]?.url} -H 'Content-Type: application/json' -d '{"query":"{ up_masjids(limit: 5) { name city } }"}'</pre>
</div></noscript>`

const isEntry = ({ path }: { readonly path: string }): boolean => path.endsWith('/explorer.js')

/** What the scripts need. */
const settingsOf = ({ language }: View, texts: ExplorerTexts, input: ExplorerInput): unknown => ({
  language,
  query: input.query,
  examples: input.examples,
  testKey: input.testKey,
  words: texts.client,
  graphiqlWords: language === 'ar' ? graphiqlWords : {},
  map: { land: landPicture.path, ...mapFrame, ...mapSize },
})

export const explorerPage = (view: View, input: ExplorerInput): Html => {
  const texts = explorerTexts[view.language]
  return html`<!doctype html>
<html lang="${view.language}" dir="${directionOf(view.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts.title} · Minaret</title>
${[styleSheet, ...explorerStyles].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${explorerModules.map(({ path }) => html`<link rel="modulepreload" href="${path}">`)}
<link rel="icon" href="${icon.path}" type="image/svg+xml">
</head>
<body class="explorer">
<header class="explorer-header">
<a class="brand" href="${input.baseUrl}/">${mark(28)}<span>Minaret</span></a>
<h1>${texts.title}</h1>
<a class="docs-link" href="${input.baseUrl}/docs">${texts.documentation}</a>
<form class="explorer-settings">${endpointChoice(texts, input.endpoints)}${credentialField(texts)}</form>
${languageLinks(view)}
</header>
<div class="explorer-bar">${toolButtons(texts)}${gallery(texts, input.examples)}</div>
<p id="live-status" role="status"></p>
<p id="notice" aria-live="polite"></p>
<main class="workbench">${panels(view, texts, input.saving)}
<div id="explorer">${withoutScript(texts, input)}</div></main>
${dataBlock('settings', settingsOf(view, texts, input))}
${vendorScripts.map(({ path }) => html`<script src="${path}" defer></script>`)}
${explorerModules.filter(isEntry).map(({ path }) => html`<script src="${path}" type="module"></script>`)}
</body>
</html>
`
}

/** The exceptions GraphiQL needs (inline styles, fonts in its style sheet); scripts only ever come from our own files. */
export const explorerPolicy = (endpoints: readonly Endpoint[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    `connect-src 'self' ${endpoints.map(({ url }) => new URL(url).origin).join(' ')}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
