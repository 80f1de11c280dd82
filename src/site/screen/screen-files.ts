// The files of the screen in the browser → what is served, and a version that changes with any of them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Html, html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'

const SCRIPT = 'text/javascript; charset=utf-8'

const read = (name: string): string => readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8')

export interface ScreenFile {
  readonly path: string
  readonly type: string
  readonly body: string
}

const inBoth = (name: 'title' | 'open' | 'orScan' | 'unreachable' | 'unreachableHint'): Html =>
  html`<span lang="en">${textsFor('en').screen[name]}</span><br><span lang="ar" dir="rtl">${textsFor('ar').screen[name]}</span>`

/** Before it is paired nobody has chosen a language, so it speaks both. */
const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${textsFor('en').screen.pageTitle} · Minaret</title>
<link rel="stylesheet" href="/screen/screen.css">
<script src="/screen/screen.js" type="module"></script>
</head>
<body data-part="starting">
<main>
<section id="pairing" aria-labelledby="pairing-title"><h1 id="pairing-title">${inBoth('title')}</h1>
<p>${inBoth('open')}</p><p id="address" dir="ltr"></p><p id="code" dir="ltr"></p>
<p>${inBoth('orScan')}</p><img id="qr" alt="" width="260" height="260"></section>
<section id="unreachable" aria-labelledby="unreachable-title"><h1 id="unreachable-title">${inBoth('unreachable')}</h1><p>${inBoth('unreachableHint')}</p></section>
<section id="dark" aria-label="${textsFor('en').screen.pause}"><p id="dark-clock"></p></section>
<section id="ran-out" aria-label="${textsFor('en').screen.pageTitle}"><p id="ran-out-words"></p><p id="ran-out-hint"></p></section>
<section id="hall" aria-labelledby="name"><header><img id="logo" alt="" hidden><h1 id="name"></h1></header>
<div class="hall-main"><div class="hall-clock"><p id="clock"></p><p id="next"></p><p id="countdown"></p></div>
<div><p id="which"></p><div id="day"></div></div></div>
<div class="hall-notices"><div id="pinned"></div><div id="notice"></div></div><p id="status"></p></section>
</main>
</body>
</html>
`

const scripts = [
  'screen.js',
  'keep-up.js',
  'changes.js',
  'clock.js',
  'pairing.js',
  'show.js',
  'fit.js',
  'moment.js',
  'storage.js',
]

const shell: readonly ScreenFile[] = [
  { path: '/screen', type: 'text/html; charset=utf-8', body: page.text },
  { path: '/screen/screen.css', type: 'text/css; charset=utf-8', body: read('screen.css') },
  ...scripts.map(name => ({ path: `/screen/${name}`, type: SCRIPT, body: read(name) })),
]

const version = createHash('sha256').update(JSON.stringify(shell)).digest('hex').slice(0, 12)

/** The worker names the version, so that browsers notice a new one. */
const worker: ScreenFile = {
  path: '/screen/worker.js',
  type: SCRIPT,
  body: read('worker.js')
    .replace("const VERSION = 'version'", `const VERSION = '${version}'`)
    .replace("const FILES = ['/screen']", `const FILES = ${JSON.stringify(shell.map(({ path }) => path))}`),
}

export const screenFiles: readonly ScreenFile[] = [...shell, worker]
