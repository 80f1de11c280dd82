// The first query and its answer → a form that asks the sandbox: by a page of its own, or in place where scripts run.
import { type Html, html } from '../pieces/html.ts'
import type { LandingTexts } from './texts.ts'

export interface TryInput {
  readonly sandboxUrl: string
  readonly query: string
  /** Already there when the page opens. */
  readonly answer: Html | undefined
}

/** One line, quoted for a shell. */
const curlLine = (sandboxUrl: string): string =>
  `curl ${sandboxUrl}/v1/graphql -H 'Content-Type: application/json' \\\n  -d '{"query":"{ up_masjids(limit: 5) { name city } }"}'`

export const tryIt = (
  texts: LandingTexts,
  { sandboxUrl, query, answer }: TryInput,
): Html => html`<section class="try" aria-labelledby="try-title">
<h2 id="try-title">${texts.tryTitle}</h2><p class="soft">${texts.tryLead}</p>
<form id="try" class="try-form" method="get" action="${sandboxUrl}/v1/graphql" data-running="${texts.running}" data-failed="${texts.failed}">
<div class="try-pane"><label for="query">${texts.queryLabel}</label>
<textarea id="query" name="query" rows="15" dir="ltr" spellcheck="false" autocapitalize="off" autocomplete="off">${query}</textarea></div>
<div class="try-pane"><div class="try-label" id="answer-label">${texts.answerLabel}</div>
<pre id="answer" class="code" dir="ltr" tabindex="0" role="status" aria-labelledby="answer-label">${answer ?? texts.answerHere}</pre></div>
<div class="try-actions"><button class="button primary">${texts.run}</button>
<a id="in-explorer" href="/explorer?example=first">${texts.inExplorer}</a><span id="took" class="soft" dir="ltr"></span></div>
</form>
<details class="terminal"><summary>${texts.fromTerminal}</summary><pre class="code" dir="ltr" tabindex="0">${curlLine(sandboxUrl)}</pre></details>
</section>`
