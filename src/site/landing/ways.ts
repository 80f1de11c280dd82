// The three ways on from the landing page: ask, sign people in, run it.
import { type Html, html } from '../pieces/html.ts'
import type { LandingTexts } from './texts.ts'
import { TODAYS_TIMES } from './today-card.ts'

const START_COMMAND = 'npm start'

const way = (title: string, text: string, more: Html): Html =>
  html`<li class="card"><h3>${title}</h3><p>${text}</p>${more}</li>`

const link = (href: string, text: string): Html => html`<p><a href="${href}">${text}</a></p>`

export const waysOn = ({ ways }: LandingTexts): Html => {
  const { ask, signIn, run } = ways
  const command = html`<pre class="code" tabindex="0" role="region" aria-label="${run.command}"><code>${START_COMMAND}</code></pre>`
  return html`<section aria-labelledby="ways-title"><h2 id="ways-title">${ways.title}</h2>
<ul class="plain-list ways">${way(ask.title, ask.text, link(TODAYS_TIMES, ask.link))}
${way(signIn.title, signIn.text, link('/docs/authorization-code', signIn.link))}
${way(run.title, run.text, command)}</ul></section>`
}
