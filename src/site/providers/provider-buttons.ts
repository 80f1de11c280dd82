// The other providers → a button for each, which works without script.
import type { Providers } from '../../accounts/providers/providers.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { fillText } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'

/** Name and label of each. */
export type ProviderChoice = { readonly name: string; readonly label: string }

export const choicesOf = ({ list }: Providers): readonly ProviderChoice[] => list.map(({ settings }) => settings)

/**
 * Where the buttons lead, as CSP sources. Chromium applies `form-action` to every redirect that follows, and providers send
 * people through several hosts of their own.
 */
export const providerTargets = ({ list }: Providers): readonly string[] => [
  ...new Set(
    list.flatMap(({ settings: { issuer } }) => (issuer.startsWith('http:') ? ['https:', 'http:'] : ['https:'])),
  ),
]

export interface ProviderButtonsParts {
  readonly choices: readonly ProviderChoice[]
  /** With {provider}. */
  readonly text: string
  readonly actionOf: (name: string) => string
  readonly hidden?: Readonly<Record<string, string | undefined>>
  /** So that this page, and what was typed on it, stays open. */
  readonly newTab?: boolean
}

export const providerButtons = (
  view: View,
  { choices, text, actionOf, hidden = {}, newTab = false }: ProviderButtonsParts,
): Html =>
  html`${choices.map(({ name, label }) =>
    form(view, {
      action: actionOf(name),
      hidden,
      newTab,
      fields: submitButton({ text: fillText(text, { provider: label }), size: 'full' }),
    }),
  )}`

export const signInPath = (name: string): string => `/sign-in/with/${name}`

/** Below the form for a password. */
export const providerSignIn = (view: View, choices: readonly ProviderChoice[], request: string | undefined): Html => {
  const { or, continueWith } = view.texts.providers
  if (choices.length === 0) return nothing
  return html`<div class="providers"><p class="or">${or}</p>
${providerButtons(view, { choices, text: continueWith, actionOf: signInPath, hidden: { request } })}</div>`
}
