// Buttons and links that look like them.
import { attributes, type Html, html } from './html.ts'

type ButtonLook = 'plain' | 'primary' | 'danger'

export interface ButtonParts {
  readonly text: string
  readonly look?: ButtonLook
  readonly size?: 'normal' | 'small' | 'full'
  /** Submitted with the form, to tell several buttons apart. */
  readonly name?: string
  readonly value?: string
  /** For screen readers, where the visible text is the same on every row. */
  readonly label?: string | undefined
}

const classOf = ({ look = 'plain', size = 'normal' }: Pick<ButtonParts, 'look' | 'size'>): string =>
  ['button', look !== 'plain' && look, size !== 'normal' && size].filter(Boolean).join(' ')

export const submitButton = (parts: ButtonParts): Html =>
  html`<button class="${classOf(parts)}"${attributes({
    name: parts.name,
    value: parts.value,
    'aria-label': parts.label,
  })}>${parts.text}</button>`

export const linkButton = (parts: Omit<ButtonParts, 'name' | 'value'> & { readonly href: string }): Html =>
  html`<a class="${classOf(parts)}" href="${parts.href}"${attributes({ 'aria-label': parts.label })}>${parts.text}</a>`

export const actions = (...buttons: readonly Html[]): Html => html`<div class="actions">${buttons}</div>`
