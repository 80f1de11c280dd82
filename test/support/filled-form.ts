// The forms of a page, filled in as they stand: what a browser sends when a button is pressed and nothing was typed.
import { decodeHtml } from './person.ts'

type Field = [name: string, value: string]

export interface FilledForm {
  readonly action: string
  readonly method: string
  readonly takesFile: boolean
  readonly fields: readonly Field[]
  /** Of which one of some values is chosen: names of selects, radio buttons, checkboxes and the buttons themselves. */
  readonly choices: readonly string[]
}

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag)
  return found === null ? undefined : decodeHtml(found[1] ?? '')
}

const ofSelect = (select: string): Field[] => {
  const name = attribute(select, 'name')
  const options = select.match(/<option[^>]*>/g) ?? []
  const chosen = options.find(option => attribute(option, 'selected') !== undefined) ?? options[0]
  return name === undefined || chosen === undefined ? [] : [[name, attribute(chosen, 'value') ?? '']]
}

const ofInput = (input: string): Field[] => {
  const [name, type] = [attribute(input, 'name'), attribute(input, 'type') ?? 'text']
  if (name === undefined || type === 'file' || type === 'submit') return []
  const isOff = (type === 'checkbox' || type === 'radio') && attribute(input, 'checked') === undefined
  return isOff ? [] : [[name, attribute(input, 'value') ?? (type === 'checkbox' ? 'on' : '')]]
}

const ofTextArea = (area: string): Field[] => {
  const [, name = '', text = ''] = /name="([^"]*)"[^>]*>([\s\S]*)<\/textarea>/.exec(area) ?? []
  return [[decodeHtml(name), decodeHtml(text).replace(/^\n/, '')]]
}

const ofControl = (control: string): Field[] =>
  control.startsWith('<button')
    ? []
    : control.startsWith('<select')
      ? ofSelect(control)
      : control.startsWith('<input')
        ? ofInput(control)
        : ofTextArea(control)

const isChoice = (control: string): boolean =>
  /^<(select|button)/.test(control) || ['radio', 'checkbox'].includes(attribute(control, 'type') ?? '')

const filled = (form: string): FilledForm => {
  const controls = form.match(/<select[\s\S]*?<\/select>|<(?:input|button)[^>]*>|<textarea[\s\S]*?<\/textarea>/g) ?? []
  const [opening = ''] = /<form[^>]*>/.exec(form) ?? []
  const names = controls.filter(isChoice).flatMap(control => attribute(control, 'name') ?? [])
  return {
    action: attribute(opening, 'action') ?? '',
    method: attribute(opening, 'method') ?? 'get',
    takesFile: /type="file"/.test(form),
    fields: controls.flatMap(ofControl),
    choices: [...new Set(names)],
  }
}

export const filledForms = (page: string): FilledForm[] => (page.match(/<form[\s\S]*?<\/form>/g) ?? []).map(filled)

/** What the form with this action sends. */
export const filledFields = (page: string, action: string): Field[] => {
  const form = filledForms(page).find(one => one.action === action)
  if (form === undefined) throw new Error(`There is no form with the action ${action}.`)
  return [...form.fields]
}
