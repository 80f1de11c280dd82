// Times and announcements → as large as there is room for: a day may have many sessions, and an announcement many words.

const SMALLEST = 0.5
const STEP = 0.05

const isCut = part => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1

const shrink = (part, isTooLarge) => {
  for (let size = 1; size >= SMALLEST; size -= STEP) {
    part.style.fontSize = `${size}em`
    if (!isTooLarge()) return
  }
}

const fitted = new Map()

/** Measures only when something has changed. */
const fitOnce = (part, shown, isTooLarge) => {
  const key = JSON.stringify([innerWidth, innerHeight, shown])
  if (fitted.get(part) === key) return
  fitted.set(part, key)
  shrink(part, isTooLarge)
}

/** @param shown whatever decides how much there is of each */
export const fit = ({ name, day, pinned, notice, look }) => {
  const find = selector => document.querySelector(selector)
  const header = find('#hall > header')
  fitOnce(header, [name, look], () => isCut(header))
  for (const [selector, shown] of Object.entries({ '#pinned': pinned, '#notice': notice })) {
    const part = find(selector)
    fitOnce(part, [shown, look], () => [...part.children].some(isCut))
  }
  const main = find('.hall-main')
  fitOnce(main, [day, pinned, notice === '', look], () => isCut(main) || [...main.children].some(isCut))
}
