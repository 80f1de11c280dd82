// A page → where the Tab key leads: every control in its order, with a focus that can be seen, and out at the end.
import type { Page } from 'playwright-core'

interface Stop {
  /** Its place among the controls; -1 for the page itself. */
  readonly index: number
  readonly name: string
  /** A field of a date has a stop for each of its parts. */
  readonly hasParts: boolean
  readonly isSeen: boolean
}

/** Runs in the page: lists the controls in the order of the document. Of radio buttons with one name, one is a stop. */
const listControls = `(() => {
  const isStop = element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ checkVisibilityCSS: true })
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(isStop)
  const chosen = radio => all.find(other => other.name === radio.name && other.checked) ?? all.find(other => other.name === radio.name)
  window.controls = all.filter(element => element.type !== 'radio' || chosen(element) === element)
  return window.controls.length
})()`

/** Runs in the page: what has the focus, and whether it is marked and on the screen. */
const readStop = `(() => {
  const element = document.activeElement ?? document.body
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const isMarked = element.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  const isOnScreen = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight
  return {
    index: window.controls.indexOf(element),
    name: element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') ?? element.name ?? element.textContent ?? '').trim().slice(0, 40),
    hasParts: ['date', 'time', 'datetime-local', 'month'].includes(element.type),
    isSeen: isMarked && isOnScreen,
  }
})()`

const MOST_PARTS = 8

const nextStop = async (page: Page): Promise<Stop> => {
  await page.keyboard.press('Tab')
  return page.evaluate(readStop)
}

/** Tab from the beginning of the page to its end. @returns what is wrong: a trap, a control that is left out, a focus that is not seen */
export const keyboardFaults = async (page: Page): Promise<string[]> => {
  const count: number = await page.evaluate(listControls)
  const faults: string[] = count === 0 ? ['there is nothing to reach'] : []
  let expected = 0
  for (let presses = 0; presses < count + 40 && expected < count; presses += 1) {
    const stop = await nextStop(page)
    const stays = stop.hasParts && stop.index === expected - 1
    if (stays) continue
    if (stop.index !== expected) return [...faults, `Tab leads to ${stop.name} (${stop.index}) instead of ${expected}`]
    if (!stop.isSeen) faults.push(`the focus is not seen on ${stop.name}`)
    expected += 1
  }
  for (let presses = 0; presses < MOST_PARTS; presses += 1)
    if ((await nextStop(page)).index !== count - 1) return faults
  return [...faults, 'Tab does not leave the last control']
}
