// A field for a reason, with templates in the language of the owner that can be put into it without script.
import { isLanguage } from '../../accounts/languages.ts'
import type { App } from '../../apps/app.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { fillText } from '../pieces/fill.ts'
import { type FieldParts, textArea } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { type Texts, textsFor } from '../texts/texts.ts'

type Reason = keyof Texts['conversation']['reasons']

/** The value of `action` with which a form comes back with the template in it. */
const INSERT = 'insert'

const ownersTexts = ({ ownerLocale }: Pick<App, 'ownerLocale'>): Texts =>
  textsFor(isLanguage(ownerLocale) ? ownerLocale : 'en')

export const isInsertion = (form: FormValues): boolean => form.text('action') === INSERT

/** What was typed, and the chosen template below it. */
export const withTemplate = (app: Pick<App, 'ownerLocale'>, form: FormValues, typed: string): string => {
  const { reasons } = ownersTexts(app).conversation
  const chosen = form.text('template')
  if (!Object.hasOwn(reasons, chosen)) return typed
  const { text } = reasons[chosen as Reason]
  return typed === '' ? text : `${typed}\n\n${text}`
}

export const reasonField = (view: View, app: App, field: FieldParts): Html => {
  const { templates, reasons } = view.texts.conversation
  const choices = Object.entries(reasons).map(([value, { title }]) => ({ value, label: title }))
  return html`<div class="templates">${selectField({
    name: 'template',
    id: `template-${field.id ?? field.name}`,
    label: templates.label,
    hint: fillText(templates.hint, { language: ownersTexts(app).languageName }),
    chosen: [''],
    choices: [{ value: '', label: templates.choose }, ...choices],
  })}${submitButton({ text: templates.insert, name: 'action', value: INSERT })}</div>
${textArea({ ...field, rows: 4 })}`
}
