// The fields by which arguments are changed. What somebody is typing into is left alone.
import { make } from '../page-parts.js'

const setOptions = (select, options) => {
  const wanted = options.map(([value, text]) => `${value}\n${text}`).join('\n\n')
  if (select.dataset.options === wanted) return
  select.dataset.options = wanted
  select.replaceChildren(...options.map(([value, text]) => make('option', { value, textContent: text })))
}

const labelled = (label, control, isLabelShown) => {
  if (!isLabelShown) control.setAttribute('aria-label', label)
  return isLabelShown ? make('label', {}, make('span', {}, label), control) : control
}

/** @returns the element, and how to show another value in it. */
export const createChoice = ({ label, isLabelShown = false, change }) => {
  const select = make('select')
  select.addEventListener('change', () => change(select.value))
  const shown = labelled(label, select, isLabelShown)
  return {
    shown,
    show: (options, value) => {
      const known = options.some(([one]) => one === value) ? options : [...options, [value, value]]
      setOptions(select, known)
      select.value = value
    },
  }
}

export const createField = ({ label, isLabelShown = false, change, isNumber = false }) => {
  const input = make('input', { type: 'text', dir: 'auto', autocomplete: 'off', spellcheck: false })
  if (isNumber) input.inputMode = 'decimal'
  let isTyping = false
  input.addEventListener('input', () => {
    isTyping = true
    change(input.value)
    isTyping = false
  })
  return {
    shown: labelled(label, input, isLabelShown),
    /** @param source what is written in the query instead, such as a variable. */
    show: (value, source = '') => {
      if (!isTyping) input.value = value
      input.placeholder = source
    },
  }
}
