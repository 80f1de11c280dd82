// The sandbox's URL, what it shows, and the guides → the landing page, with a query to run in place.
import { guidePath } from '../docs/docs-contents.ts'
import type { Guide } from '../docs/guides.ts'
import { finderForm, findScript } from '../find/finder-form.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { highlighted } from '../pieces/code/highlight.ts'
import { showJsonScript } from '../pieces/code/show-json.ts'
import { copyButtons } from '../pieces/copy/copy.ts'
import { type Html, html } from '../pieces/html.ts'
import { landingScript } from './landing-assets.ts'
import { masjidMap } from './masjid-map.ts'
import type { Showcase } from './showcase.ts'
import { type LandingTexts, landingTexts } from './texts.ts'
import { todayCard } from './today-card.ts'
import { tryIt } from './try-it.ts'
import { waysOn } from './ways.ts'

export interface LandingInput {
  readonly sandboxUrl: string
  readonly query: string
  /** Undefined while the sandbox cannot be read. */
  readonly showcase: Showcase | undefined
  readonly guides: readonly Guide[]
}

const finder = (view: View): Html =>
  html`<section class="card" aria-labelledby="find-title"><h2 id="find-title">${view.texts.finder.title}</h2>
<p class="soft">${view.texts.finder.lead}</p>${finderForm(view)}</section>`

const areas = (
  texts: LandingTexts,
): Html => html`<section aria-labelledby="content-title"><h2 id="content-title">${texts.contentTitle}</h2>
<ul class="plain-list areas">${texts.areas.map(
  ({ name, text, table }) => html`<li class="card"><h3>${name}</h3><p>${text}</p>
<p><a href="/docs/reference/${table}"><code dir="ltr">${table}</code></a></p></li>`,
)}</ul></section>`

const steps = (
  texts: LandingTexts,
): Html => html`<section aria-labelledby="steps-title"><h2 id="steps-title">${texts.stepsTitle}</h2>
<ol class="steps">${texts.steps.map(
  ({ title, text, link }) => html`<li><h3><a href="${link}">${title}</a></h3><p class="soft">${text}</p></li>`,
)}</ol></section>`

const guideList = (texts: LandingTexts, guides: readonly Guide[]): Html => html`<section aria-labelledby="guides-title">
<h2 id="guides-title">${texts.guidesTitle}</h2>
<ul class="guide-list">${guides.map(guide => html`<li><a href="${guidePath(guide)}">${guide.title}</a></li>`)}</ul>
<p><a href="/docs">${texts.allGuides}</a></p></section>`

const hero = (view: View, texts: LandingTexts, { showcase }: LandingInput): Html =>
  html`<div class="hero"><div><h1>${texts.title}</h1><p class="lead">${texts.lead}</p>
<p class="hero-links"><a class="button primary" href="#try-title">${texts.tryTitle}</a> <a class="button" href="/explorer">${texts.explorer}</a>
<a class="button" href="/console">${texts.openConsole}</a></p></div>
${showcase !== undefined && todayCard(view, texts, showcase)}</div>`

export const landingPage = (view: View, input: LandingInput): Html => {
  const texts = landingTexts[view.language]
  const { showcase, guides } = input
  return page(view, {
    title: texts.title,
    head: html`${copyButtons(view)}<script src="${showJsonScript.path}" defer></script><script src="${landingScript.path}" defer></script><script src="${findScript.path}" type="module"></script>`,
    main: html`<div class="landing">${hero(view, texts, input)}${waysOn(texts)}${tryIt(texts, {
      ...input,
      answer: showcase === undefined ? undefined : highlighted(showcase.answer, 'json'),
    })}${showcase !== undefined && masjidMap(view, texts, showcase.masjids)}${finder(view)}${areas(texts)}${steps(texts)}${guideList(texts, guides)}</div>`,
  })
}
