// Times and announcements → as large as there is room for: a day may have many sessions, and an announcement many words.

const SMALLEST = 50
const STEP = 5
/** How far announcements give way to times, and how small times become meanwhile. */
const SHARES = [
  { notices: 1, smallest: 60 },
  { notices: 0.8, smallest: 60 },
  { notices: 0.65, smallest: 55 },
  { notices: 0.5, smallest: 35 },
]

const isCut = part => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1

const shrink = (part, isTooLarge, smallest = SMALLEST) => {
  for (let percent = 100; percent >= smallest; percent -= STEP) {
    part.style.fontSize = `${percent / 100}em`
    if (!isTooLarge()) return
  }
}

const fitted = new Map()

/** Measures only when something has changed. */
const fitOnce = (part, shown, work) => {
  const key = JSON.stringify([innerWidth, innerHeight, shown])
  if (fitted.get(part) === key) return
  fitted.set(part, key)
  work()
}

const isAnyCut = part => [...part.children].some(isCut)

const isTooMuch = main => isCut(main) || isAnyCut(main)

/** Before times are cut off, announcements become smaller too. */
const fitTimes = ({ hall, main, pinned }) => {
  for (const { notices, smallest } of SHARES) {
    hall.style.setProperty('--notices', notices)
    shrink(pinned, () => isAnyCut(pinned))
    shrink(main, () => isTooMuch(main), smallest)
    if (!isTooMuch(main)) return
  }
}

/** @param shown whatever decides how much there is of each */
export const fit = ({ name, day, pinned, notice, look }) => {
  const find = selector => document.querySelector(selector)
  const parts = { hall: find('#hall'), main: find('.hall-main'), pinned: find('#pinned') }
  const [header, line] = [find('#hall > header'), find('#notice')]
  fitOnce(header, [name, look], () => shrink(header, () => isCut(header)))
  fitOnce(parts.main, [day, pinned, notice === '', look], () => fitTimes(parts))
  const size = parts.hall.style.getPropertyValue('--notices')
  fitOnce(line, [notice, size, look], () => shrink(line, () => isAnyCut(line)))
}
