// The field for the limit of a key, and what was typed there → a number, none, or a fault.
import { MOST_REQUESTS_PER_MINUTE } from '../../../access/key-limits.ts'
import { isKeyLimit } from '../../../apps/key-limit.ts'
import type { View } from '../../frame/view.ts'
import { fillText } from '../../pieces/fill.ts'
import { textField } from '../../pieces/form.ts'
import type { Html } from '../../pieces/html.ts'

const FIELD = 'key_limit'

export interface LimitTyped {
  readonly value: string
  readonly isFaulty: boolean
}

export const limitFault = ({ texts }: View, { isFaulty }: LimitTyped): string | undefined =>
  isFaulty ? fillText(texts.keyLimit.fault, { most: String(MOST_REQUESTS_PER_MINUTE) }) : undefined

export const limitField = (view: View, typed: LimitTyped): Html => {
  const { keyLimit, common } = view.texts
  return textField({
    name: FIELD,
    label: keyLimit.label,
    hint: keyLimit.hint,
    value: typed.value,
    fault: limitFault(view, typed),
    optional: common.optional,
    attributes: { inputmode: 'numeric', dir: 'ltr', maxlength: 9, autocomplete: 'off' },
  })
}

type ReadLimit =
  | { readonly kind: 'limit'; readonly requestsPerMinute: number | undefined }
  | { readonly kind: 'faulty'; readonly typed: LimitTyped }

export const readLimit = (values: { text(name: string): string }): ReadLimit => {
  const value = values.text(FIELD).trim()
  if (value === '') return { kind: 'limit', requestsPerMinute: undefined }
  const limit = /^\d+$/.test(value) ? Number(value) : Number.NaN
  return isKeyLimit(limit)
    ? { kind: 'limit', requestsPerMinute: limit }
    : { kind: 'faulty', typed: { value, isFaulty: true } }
}
