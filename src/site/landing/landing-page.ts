// The sandbox's URL and the guides → the landing page, with a query to run in place.
import { guidePath } from '../docs/docs-page.ts'
import type { Guide } from '../docs/guides.ts'
import { finderForm, findScript } from '../find/finder-form.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'
import { landingScript } from './landing-assets.ts'
import { landingTexts } from './texts.ts'

export interface LandingInput {
  readonly sandboxUrl: string
  readonly query: string
  readonly guides: readonly Guide[]
}

type Texts = (typeof landingTexts)['en']

/** One line, quoted for a shell. */
const curlLine = (sandboxUrl: string): string =>
  `curl ${sandboxUrl}/v1/graphql -H 'Content-Type: application/json' \\\n  -d '{"query":"{ up_masjids(limit: 5) { name city } }"}'`

/** Without JavaScript the form sends a GET and the browser shows the response; with it, the response appears in place. */
const tryIt = (
  texts: Texts,
  { sandboxUrl, query }: LandingInput,
): Html => html`<section class="try" aria-labelledby="try-title">
<h2 id="try-title">${texts.tryTitle}</h2><p class="soft">${texts.tryLead}</p>
<form id="try" class="try-form" method="get" action="${sandboxUrl}/v1/graphql" data-running="${texts.running}" data-failed="${texts.failed}">
<div class="try-pane"><label for="query">${texts.queryLabel}</label>
<textarea id="query" name="query" rows="15" dir="ltr" spellcheck="false" autocapitalize="off" autocomplete="off">${query}</textarea></div>
<div class="try-pane"><div class="try-label" id="answer-label">${texts.answerLabel}</div>
<pre id="answer" class="code" dir="ltr" tabindex="0" role="status" aria-labelledby="answer-label">${texts.answerHere}</pre></div>
<div class="try-actions"><button class="button primary">${texts.run}</button>
<a id="in-explorer" href="/explorer">${texts.inExplorer}</a><span id="took" class="soft" dir="ltr"></span></div>
</form>
<details class="terminal"><summary>${texts.fromTerminal}</summary><pre class="code" dir="ltr" tabindex="0">${curlLine(sandboxUrl)}</pre></details>
</section>`

const finder = (view: View): Html =>
  html`<section class="card" aria-labelledby="find-title"><h2 id="find-title">${view.texts.finder.title}</h2>
<p class="soft">${view.texts.finder.lead}</p>${finderForm(view)}</section>`

const areas = (
  texts: Texts,
): Html => html`<section aria-labelledby="content-title"><h2 id="content-title">${texts.contentTitle}</h2>
<ul class="plain-list areas">${texts.areas.map(
  ({ name, text, table }) => html`<li class="card"><h3>${name}</h3><p>${text}</p>
<p><a href="/docs/reference/${table}"><code dir="ltr">${table}</code></a></p></li>`,
)}</ul></section>`

const steps = (
  texts: Texts,
): Html => html`<section aria-labelledby="steps-title"><h2 id="steps-title">${texts.stepsTitle}</h2>
<ol class="steps">${texts.steps.map(
  ({ title, text, link }) => html`<li><h3><a href="${link}">${title}</a></h3><p class="soft">${text}</p></li>`,
)}</ol></section>`

const guideList = (texts: Texts, guides: readonly Guide[]): Html => html`<section aria-labelledby="guides-title">
<h2 id="guides-title">${texts.guidesTitle}</h2>
<ul class="guide-list" lang="en" dir="ltr">${guides.map(guide => html`<li><a href="${guidePath(guide)}">${guide.title}</a></li>`)}</ul>
<p><a href="/docs">${texts.allGuides}</a></p></section>`

export const landingPage = (view: View, input: LandingInput): Html => {
  const texts = landingTexts[view.language]
  return page(view, {
    title: texts.title,
    head: html`<script src="${landingScript.path}" defer></script><script src="${findScript.path}" type="module"></script>`,
    main: html`<div class="landing">
<div class="hero"><h1>${texts.title}</h1><p class="lead">${texts.lead}</p>
<p class="hero-links"><a class="button primary" href="#try-title">${texts.tryTitle}</a> <a class="button" href="/explorer">${texts.explorer}</a>
<a class="button" href="/console">${texts.openConsole}</a></p></div>
${finder(view)}${tryIt(texts, input)}${areas(texts)}${steps(texts)}${guideList(texts, input.guides)}</div>`,
  })
}
