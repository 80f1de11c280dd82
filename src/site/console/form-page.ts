// The app form in its three uses: registration, an edit before the decision, a change request after approval.
import type { App } from '../../apps/app.ts'
import type { FieldFault } from '../../apps/check-registration.ts'
import type { ImageStatus } from '../../images/images.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { fill, fillTitle } from '../pieces/fill.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { faultList, notice } from '../pieces/notices.ts'
import { type AppFormValues, appFields } from './app-form.ts'
import { appPath } from './app-frame.ts'
import { DRAFT_FIELD, draftButton, draftState } from './drafts/draft-field.ts'
import { wordsByField, wordsById } from './field-faults.ts'

export interface FormPageParts {
  /** Undefined for a new one. */
  readonly app: App | undefined
  readonly values: AppFormValues
  readonly faults: readonly FieldFault[]
  /** A refusal that concerns no single field. */
  readonly refusal?: string | undefined
  readonly changeWaits?: boolean
  /** The id under which a new one can be saved. */
  readonly draft?: string
  /** What became of the logo that the form shows. */
  readonly logo?: ImageStatus | undefined
}

interface Words {
  readonly title: string
  readonly lead: string | undefined
  readonly button: string
}

const wordsFor = ({ texts }: View, app: App | undefined): Words => {
  const { appForm, console } = texts
  if (app === undefined) return { title: appForm.newTitle, lead: appForm.newLead, button: appForm.send }
  if (app.state === 'approved')
    return {
      title: fillTitle(appForm.changeTitle, { app: app.name }),
      lead: appForm.changeLead,
      button: appForm.askChange,
    }
  const button =
    app.state === 'rejected' || app.changesRequestedAt !== undefined ? appForm.sendAgain : appForm.saveChanges
  return { title: fillTitle(appForm.editTitle, { app: app.name }), lead: console.stateHelp[app.state], button }
}

const reviewerWords = ({ texts }: View, app: App | undefined): Html | undefined =>
  app?.state === 'rejected' && app.reviewerWords !== undefined
    ? notice({
        tone: 'warn',
        title: texts.console.reviewerWords,
        text: html`<span class="as-typed" dir="auto">${app.reviewerWords}</span>`,
      })
    : undefined

export const formPage = (
  view: View,
  { app, values, faults, refusal, changeWaits, draft, logo }: FormPageParts,
): Html => {
  const { appForm, common } = view.texts
  const { title, lead, button } = wordsFor(view, app)
  const words = wordsByField(view.texts, faults)
  const approved = app?.state === 'approved'
  const next = approved && app.logo === logo?.address ? 'newAddress' : 'save'
  const reason =
    approved &&
    textArea({ name: 'reason', label: appForm.changeReason, value: values.reason, optional: common.optional, rows: 3 })
  return page(view, {
    title,
    faulty: faults.length > 0,
    section: 'console',
    main: html`<div class="page-head"><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
${reviewerWords(view, app)}${changeWaits === true && notice({ tone: 'warn', text: appForm.replaces })}
${faultList(view, wordsById(words))}${refusal !== undefined && notice({ tone: 'bad', text: fill('{refusal}', { refusal }) })}
<div class="card form-card">${form(view, {
      action: app === undefined ? '/console/apps' : appPath(app.id, 'edit'),
      hidden: { [DRAFT_FIELD]: draft },
      fields: html`${appFields(view, { values, faults: words, logo: { status: logo, next }, fixedKind: approved })}${reason}${actions(
        submitButton({ text: button, look: 'primary' }),
        draft === undefined ? nothing : draftButton(view),
        linkButton({ text: common.cancel, href: app === undefined ? '/console' : appPath(app.id) }),
      )}`,
    })}${draft !== undefined && draftState(view)}</div>`,
  })
}
