// The two forms that ask for a code: of the authenticator app, and, behind a fold, a recovery code.
import type { CodeKind } from '../../accounts/factors/limit-codes.ts'
import type { TypedCode } from '../../accounts/factors/use-code.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, textField } from '../pieces/form.ts'
import { attributes, type Html, html } from '../pieces/html.ts'

export interface CodeFormsParts {
  readonly action: string
  readonly hidden?: Readonly<Record<string, string | undefined>>
  readonly hasApp: boolean
  /** Which code was just refused. */
  readonly wrong: CodeKind | undefined
  readonly buttons: Readonly<Record<CodeKind, string>>
  /** Besides the code of the app. */
  readonly more?: Html | undefined
}

export const codeField = (parts: {
  readonly label: string
  readonly hint?: string
  readonly fault?: string | undefined
}): Html =>
  textField({
    name: 'code',
    ...parts,
    attributes: {
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      maxlength: 20,
      dir: 'ltr',
      class: 'typed-code',
      autofocus: true,
    },
  })

const appForm = (view: View, { action, hidden, wrong, buttons, more }: CodeFormsParts): Html => {
  const { factors } = view.texts
  return form(view, {
    action,
    hidden: { ...hidden, kind: 'totp' },
    fields: [
      codeField({ label: factors.challengeCode, fault: wrong === 'totp' ? factors.challengeWrong : undefined }),
      html`${more}`,
      submitButton({ text: buttons.totp, look: 'primary', size: 'full' }),
    ],
  })
}

const recoveryForm = (view: View, { action, hidden, wrong, buttons }: CodeFormsParts): Html => {
  const { factors } = view.texts
  return form(view, {
    action,
    hidden: { ...hidden, kind: 'recovery' },
    fields: [
      textField({
        name: 'recovery_code',
        label: factors.recoveryCode,
        hint: factors.recoveryHint,
        fault: wrong === 'recovery' ? factors.recoveryWrong : undefined,
        attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 40, dir: 'ltr' },
      }),
      submitButton({ text: buttons.recovery, size: 'full' }),
    ],
  })
}

export const codeForms = (view: View, parts: CodeFormsParts): Html => {
  const { factors } = view.texts
  return html`${parts.hasApp && appForm(view, parts)}
<details class="other-way"${attributes({ open: parts.wrong === 'recovery' || !parts.hasApp })}><summary>${factors.lostPhone}</summary>
${recoveryForm(view, parts)}<p class="soft">${factors.lostAll}</p></details>`
}

export const typedCode = ({ form: typed }: Visit): TypedCode =>
  typed.text('kind') === 'recovery'
    ? { kind: 'recovery', typed: typed.text('recovery_code') }
    : { kind: 'totp', typed: typed.text('code') }
