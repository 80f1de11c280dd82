// What the team of an app should do next → lines with a link each, and the way to the first answer.
import type { App } from '../../apps/app.ts'
import { type AppSigns, firstSteps, type NextStep, nextSteps, wayToFirstAnswer } from '../../apps/next-steps.ts'
import type { View } from '../frame/view.ts'
import { attributes, type Html, html, nothing } from '../pieces/html.ts'
import { type AppSection, appPath } from './app-frame.ts'

const places: Readonly<Record<NextStep, AppSection | 'edit'>> = {
  suspended: 'settings',
  fix: 'edit',
  reply: 'messages',
  errors: 'usage',
  webhook: 'webhooks',
  try: 'development',
  wait: 'overview',
  credential: 'credentials',
  ask: 'start',
  unusedSecret: 'credentials',
  change: 'settings',
}

const stepLine = ({ texts }: View, app: App, step: NextStep): Html => {
  const words = texts.nextSteps.steps[step]
  return places[step] === 'overview' ? html`${words}` : html`<a href="${appPath(app.id, places[step])}">${words}</a>`
}

/** In the list of apps: the most pressing one. */
export const nextStepOf = (view: View, app: App, signs: AppSigns): Html => {
  const [first] = nextSteps(app, signs)
  return first === undefined
    ? nothing
    : html`<p class="next-step"><strong>${view.texts.nextSteps.next}</strong> ${stepLine(view, app, first)}</p>`
}

const firstAnswer = ({ texts: { nextSteps: words } }: View, app: App, signs: AppSigns): Html => {
  const done = wayToFirstAnswer(app, signs)
  if (done.answered) return nothing
  // A step that was left out, such as the sandbox, is not gone back to.
  const current = firstSteps[firstSteps.findLastIndex(step => done[step]) + 1]
  return html`<h3>${words.way}</h3><ol class="first-steps">${firstSteps.map(
    step =>
      html`<li${attributes({ class: done[step] && 'done', 'aria-current': step === current && 'step' })}>${words.firstSteps[step]}${done[step] && html` <span class="soft">(${words.done})</span>`}</li>`,
  )}</ol>`
}

export const nextStepsCard = (view: View, app: App, signs: AppSigns): Html => {
  const { nextSteps: words } = view.texts
  const steps = nextSteps(app, signs)
  const list = html`<ul>${steps.map(step => html`<li>${stepLine(view, app, step)}</li>`)}</ul>`
  return html`<section class="card next-steps"><h2>${words.heading}</h2>${steps.length === 0 ? html`<p>${words.nothing}</p>` : list}
${app.state !== 'suspended' && firstAnswer(view, app, signs)}</section>`
}
