// What Enter does in the forms of an open page: browsers press a form's first submit button. In a field of a search it is to search.
import type { Page } from 'playwright-core'

/** Runs in the page. One line for each form in which Enter would not do what the person typed for, or would decide unasked. */
const findFaults = `(() => {
  const typed = 'input:not([type]), input[type=text], input[type=email], input[type=password], input[type=url], input[type=tel], input[type=number], input[type=date], input[type=time]'
  const submits = form => [...form.elements].filter(one => one.matches('button:not([type=button]), input[type=submit]'))
  const faultIn = form => {
    const buttons = submits(form)
    const [first] = buttons
    const main = buttons.find(one => one.matches('.primary')) ?? buttons.find(one => one.matches('.danger'))
    if (buttons.length < 2 || main === undefined) return []
    const fields = [...form.elements]
    const isTyped = fields.some(one => one.matches(typed))
    if (isTyped === (first === main)) return []
    // Enter in a text of several lines begins the next one.
    if (!isTyped && fields.some(one => one.matches('textarea'))) return []
    const where = form.getAttribute('action') ?? location.pathname
    return [where + ': Enter presses "' + first.textContent.trim() + '", and ' + (isTyped ? 'something' : 'nothing') + ' is typed']
  }
  return [...document.forms].flatMap(faultIn)
})()`

/** Where something is typed, Enter is the main action; where nothing is, it does the least. */
export const enterFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults)
