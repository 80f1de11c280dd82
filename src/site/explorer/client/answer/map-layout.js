// Points on the map → the part of it that shows them all, names that do not lie over each other, and a scale. Pure.

/** About 30 km: nearer than that, the land has nothing to show. */
const LEAST_WIDTH = 0.7
const ROOM = 1.5

const extent = values => [Math.min(...values), Math.max(...values)]

/** Of the part that is shown, where the map is high enough for it. */
const SHAPE = 1.6

export const viewOf = (points, frame) => {
  const [left, right] = extent(points.map(({ x }) => x))
  const [top, bottom] = extent(points.map(({ y }) => y))
  const needed = Math.max((right - left) * ROOM, (bottom - top) * ROOM * SHAPE, LEAST_WIDTH)
  const width = Math.min(needed, frame.width)
  const height = Math.min(width / SHAPE, frame.height)
  const within = (middle, size, whole) => Math.max(0, Math.min(middle - size / 2, whole - size))
  return {
    x: within((left + right) / 2, width, frame.width),
    y: within((top + bottom) / 2, height, frame.height),
    width,
    height,
  }
}

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

const boxOf = ({ x, y, size, anchor, title }) => {
  const width = title.length * size * 0.55
  const left = anchor === 'end' ? x - width : x
  return { left, right: left + width, top: y - size, bottom: y + size * 0.3 }
}

/** A name for each point that has room for one: a tooltip has the others. */
export const labelsFor = (points, titles, { view, radius }) => {
  const size = view.width / 42
  const dots = points.map(({ x, y }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }))
  const taken = []
  return points.flatMap(({ x, y }, index) => {
    const anchor = x > view.x + view.width * 0.6 ? 'end' : 'start'
    const title = titles[index].slice(0, 40)
    const label = { x: x + radius * (anchor === 'end' ? -1.6 : 1.6), y: y + size / 3, size, anchor, title }
    const box = boxOf(label)
    const others = [...taken, ...dots.toSpliced(index, 1)]
    if (title === '' || others.some(other => overlap(box, other))) return []
    taken.push(box)
    return [label]
  })
}

const KILOMETRES_PER_DEGREE = 111.2

/** The longest round distance that takes less than a fifth of the width. */
export const scaleOf = ({ width }, latitude, { perLongitude }) => {
  const perKilometre = perLongitude / (KILOMETRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180))
  const most = width / 5 / perKilometre
  const power = 10 ** Math.floor(Math.log10(most))
  const kilometres = [5, 2, 1].find(step => step * power <= most) * power
  return { kilometres, length: kilometres * perKilometre }
}
