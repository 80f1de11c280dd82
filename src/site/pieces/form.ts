// Forms: the anti-forgery field, fields with label, hint and error, buttons. Input is kept when a form comes back.

import type { View } from '../frame/view.ts'
import { type Attributes, attributes, type Html, html, nothing } from './html.ts'

/** The name of the anti-forgery field. */
export const ANTI_FORGERY_FIELD = 'anti_forgery'

export const antiForgeryField = (view: View): Html =>
  html`<input type="hidden" name="${ANTI_FORGERY_FIELD}" value="${view.antiForgery}">`

const hiddenFields = (values: Readonly<Record<string, string | undefined>>): Html =>
  html`${Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

export interface FormParts {
  readonly action: string
  readonly fields: Html | readonly Html[]
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** For a file, or for more text than other forms may send. */
  readonly large?: boolean
  /** Answered in another tab. */
  readonly newTab?: boolean
}

/** The server reports errors in the language of the page, so the browser's own validation is off. */
export const form = (view: View, { action, fields, hidden = {}, large = false, newTab = false }: FormParts): Html =>
  html`<form${attributes({ method: 'post', action, enctype: large && 'multipart/form-data', target: newTab && '_blank' })} novalidate>${antiForgeryField(view)}${hiddenFields(hidden)}
${fields}
</form>`

export interface FieldParts {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly hint?: string | undefined
  /** The error message, if the value is invalid. */
  readonly fault?: string | undefined
  /** Shown beside the label of an optional field. */
  readonly optional?: string | undefined
  /** Of a search or of filters: each may be left empty, which nobody has to be told. */
  readonly filter?: boolean
  /** Set if a page has two fields with the same name. */
  readonly id?: string
}

interface FrameIds {
  readonly id: string
  readonly describedBy: string | undefined
}

const idsOf = ({ id, name, hint, fault }: FieldParts): FrameIds => {
  const own = id ?? name
  const described = [hint && `${own}-hint`, fault && `${own}-fault`].filter(Boolean).join(' ')
  return { id: own, describedBy: described === '' ? undefined : described }
}

const optionalMark = (text: string | undefined): Html =>
  text === undefined ? nothing : html` <span class="optional">(${text})</span>`

const words = ({ hint, fault }: FieldParts, id: string): Html =>
  html`${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}`

const framed = (parts: FieldParts, control: (shared: Attributes) => Html): Html => {
  const { id, describedBy } = idsOf(parts)
  const shared = {
    id,
    name: parts.name,
    required: parts.optional === undefined && parts.filter !== true,
    'aria-describedby': describedBy,
    'aria-invalid': parts.fault === undefined ? undefined : 'true',
  }
  return html`<div class="field${parts.fault ? ' has-fault' : ''}">
<label for="${id}">${parts.label}${optionalMark(parts.optional)}</label>
${words(parts, id)}${control(shared)}
</div>`
}

export const textField = (
  parts: FieldParts & { readonly type?: string; readonly attributes?: Attributes; readonly below?: Html },
): Html =>
  framed(
    parts,
    shared =>
      html`<input${attributes({ type: parts.type ?? 'text', ...shared, value: parts.value, ...parts.attributes })}>${parts.below}`,
  )

export interface PasswordParts extends Omit<FieldParts, 'value'> {
  readonly autocomplete: string
  readonly below?: Html
}

/** A password is never sent back to the page. */
export const passwordField = (parts: PasswordParts): Html =>
  textField({ ...parts, type: 'password', attributes: { autocomplete: parts.autocomplete, maxlength: 200 } })

export const textArea = (parts: FieldParts & { readonly rows?: number; readonly code?: boolean }): Html =>
  framed(
    parts,
    shared =>
      html`<textarea${attributes({ ...shared, rows: parts.rows ?? 4, class: parts.code && 'code', dir: parts.code && 'ltr' })}>
${parts.value}</textarea>`,
  )
