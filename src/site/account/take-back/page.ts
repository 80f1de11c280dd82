// What happened in one's account lately → the page that asks for the last sign-in of its owner, and lets them keep what was theirs.
import type { SignIn, Step, Thing } from '../../../accounts/take-back/lately.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { type Choice, radioGroup } from '../../pieces/choices.ts'
import { dayOf, formatMoment, momentOf } from '../../pieces/data.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { localTimes } from '../../pieces/times/times.ts'
import { accountPage } from '../account-frame.ts'
import { browserName } from '../browser-name.ts'

export const TAKE_BACK_PAGE = '/account/taken-back'

export const takeBackNews = ['answered', 'answer_missing', 'kept', 'keep_failed'] as const
export type TakeBackNews = (typeof takeBackNews)[number]

export interface TakeBackParts {
  readonly signIns: readonly SignIn[]
  readonly steps: readonly Step[]
  /** The account was taken back, and the owner has yet to answer. */
  readonly isUnanswered: boolean
  readonly news: TakeBackNews | undefined
}

const toChoice =
  (view: View) =>
  ({ id, at, address, userAgent }: SignIn): Choice => {
    const { takeBack } = view.texts
    const date = formatMoment(view.language, at)
    const browser = browserName(view, userAgent ?? undefined)
    const label = fillText(takeBack.signInLine, { date, browser })
    return address === null
      ? { value: id, label }
      : { value: id, label, hint: fillText(takeBack.signInPlace, { address }) }
  }

const questionCard = (view: View, { signIns, news }: TakeBackParts): Html => {
  const { takeBack } = view.texts
  const all = { value: 'all', label: takeBack.all, hint: takeBack.allHint }
  const none = { value: 'none', label: takeBack.none, hint: takeBack.noneHint }
  const choices = radioGroup({
    name: 'last',
    label: takeBack.questionHeading,
    hint: takeBack.questionHint,
    fault: news === 'answer_missing' ? takeBack.answerMissing : undefined,
    choices: [...signIns.map(toChoice(view)), none, all],
    chosen: [],
  })
  const button = submitButton({ text: takeBack.answer, look: 'primary' })
  return html`<section class="card">${form(view, { action: `${TAKE_BACK_PAGE}/last`, fields: [choices, button] })}</section>`
}

const thingLine = (view: View, { act, kind, name, changed, place, grantee }: Thing): Html => {
  const { takeBack } = view.texts
  const names = act === 'replaced' ? changed.flatMap(column => takeBack.columns[column] ?? []) : []
  const listed = new Intl.ListFormat(view.language).format(names)
  return html`<li>${takeBack.acts[act]}: <strong>${takeBack.kinds[kind] ?? kind}</strong>${name !== null && html` <bdi>${name}</bdi>`}
${names.length > 0 && html`<br>${fill(takeBack.settings, { names: listed })}`}
${grantee !== null && html`<br>${fill(takeBack.for, { name: html`<bdi>${grantee}</bdi>` })}`}
${place !== null && place !== name && html`<br>${fill(takeBack.at, { place: html`<bdi>${place}</bdi>` })}`}</li>`
}

const keepForm = (view: View, { ids, at }: Step): Html => {
  const { takeBack } = view.texts
  const label = fillText(takeBack.keepNamed, { date: formatMoment(view.language, at) })
  return form(view, {
    action: `${TAKE_BACK_PAGE}/keep`,
    hidden: { ids: ids.join(',') },
    fields: submitButton({ text: takeBack.keep, size: 'small', label }),
  })
}

/** `endsAt` is known once the owner has answered: one thing after the other. */
const stepLine = (view: View, step: Step): Html => {
  const { takeBack } = view.texts
  const { at, by, address, userAgent, isSuspended, hasFailed, endsAt } = step
  const origin = [
    userAgent !== null && browserName(view, userAgent),
    address !== null && fill(takeBack.signInPlace, { address: html`<span dir="ltr">${address}</span>` }),
    by !== null && fill(takeBack.by, { name: html`<bdi>${by}</bdi>` }),
    isSuspended && endsAt !== null && fill(takeBack.suspendedUntil, { date: dayOf(view, endsAt) }),
  ].filter(line => line !== false)
  return html`<li><div><h3>${momentOf(view, at)}</h3><ul>${step.things.map(thing => thingLine(view, thing))}</ul>
<p class="soft">${origin.map((line, place) => html`${place > 0 && html`<br>`}${line}`)}</p>
${hasFailed && !isSuspended && notice({ tone: 'warn', text: takeBack.failed })}</div>
${isSuspended && endsAt !== null && keepForm(view, step)}</li>`
}

const stepsCard = (view: View, steps: readonly Step[], heading: string, text: string): Html =>
  steps.length === 0
    ? nothing
    : html`<section class="card"><h2>${heading}</h2><p>${text}</p>
<ul class="plain-list rows">${steps.map(step => stepLine(view, step))}</ul></section>`

const newsNotice = (view: View, news: TakeBackNews | undefined): Html | undefined => {
  const { answered, kept, keepFailed, answerMissing } = view.texts.takeBack
  if (news === 'answered') return notice({ tone: 'good', text: answered })
  if (news === 'kept') return notice({ tone: 'good', text: kept })
  if (news === 'keep_failed') return notice({ tone: 'warn', text: keepFailed })
  return news === 'answer_missing' ? notice({ tone: 'bad', text: answerMissing }) : undefined
}

export const takeBackPage = (view: View, parts: TakeBackParts): Html => {
  const { takeBack } = view.texts
  const { steps, isUnanswered, news } = parts
  const suspended = steps.filter(({ isSuspended }) => isSuspended)
  const inForce = steps.filter(({ isSuspended }) => !isSuspended)
  const waiting = isUnanswered ? takeBack.suspendedWaits : takeBack.suspendedText
  return accountPage(view, {
    section: 'security',
    head: localTimes,
    title: isUnanswered ? takeBack.backTitle : takeBack.title,
    text: isUnanswered ? takeBack.backText : takeBack.text,
    news: newsNotice(view, news),
    main: html`${isUnanswered && questionCard(view, parts)}
${stepsCard(view, suspended, takeBack.suspendedHeading, waiting)}
${stepsCard(view, inForce, takeBack.lastlyHeading, takeBack.lastlyText)}
${steps.length === 0 && html`<p>${takeBack.nothing}</p>`}
${!isUnanswered && steps.length > 0 && questionCard(view, parts)}`,
  })
}
