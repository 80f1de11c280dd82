// Places → a map: the land as on the landing page, with a dot for each, as near as all of them can be seen.
import { countWords, fillWords, make, numberWords, settings, words } from '../page-parts.js'
import { labelsFor, scaleOf, viewOf } from './map-layout.js'

const frame = settings.map

const project = ({ latitude, longitude }) => ({
  x: (longitude - frame.west) * frame.perLongitude,
  y: (frame.north - latitude) * frame.perLatitude,
})

const drawn = (name, attributes, ...children) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children)
  return made
}

const land = () => drawn('image', { href: frame.land, width: frame.width, height: frame.height })

const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(value => value.toFixed(4)).join(' ')

const dot = ({ x, y }, title, radius) =>
  drawn('circle', { cx: x.toFixed(4), cy: y.toFixed(4), r: radius.toFixed(4) }, drawn('title', {}, title))

const label = ({ x, y, size, anchor, title }) =>
  drawn('text', { x: x.toFixed(4), y: y.toFixed(4), 'font-size': size.toFixed(4), 'text-anchor': anchor }, title)

/** A line as long as a round number of kilometres, at the lower left. */
const scaleBar = (view, middle) => {
  const { kilometres, length } = scaleOf(view, middle, frame)
  const unit = view.width / 100
  const [x, y] = [view.x + unit * 2, view.y + view.height - unit * 2]
  const size = unit * 2.4
  const text = fillWords(words.answer.kilometres, { count: numberWords(kilometres) })
  return [
    drawn('line', { x1: x, y1: y, x2: x + length, y2: y, 'stroke-width': unit / 4 }),
    label({ x, y: y - unit, size, anchor: 'start', title: text }),
  ]
}

/** Where in the world that is; only where the map shows a small part of it. */
const overview = view => {
  if (view.width > frame.width / 2) return []
  const least = 30
  const [width, height] = [Math.max(view.width, least), Math.max(view.height, least)]
  const [x, y] = [view.x + (view.width - width) / 2, view.y + (view.height - height) / 2]
  const whole = boxOf({ x: 0, y: 0, width: frame.width, height: frame.height })
  return [
    drawn(
      'svg',
      { viewBox: whole, class: 'overview', 'aria-hidden': 'true' },
      land(),
      drawn('rect', { x, y, width, height }),
    ),
  ]
}

export const answerMap = places => {
  const points = places.map(project)
  const view = viewOf(points, frame)
  const radius = view.width / 110
  const titles = places.map(({ title }) => title)
  const middle = places.reduce((sum, { latitude }) => sum + latitude, 0) / places.length
  const svg = drawn(
    'svg',
    { viewBox: boxOf(view), role: 'img', 'aria-label': countWords(words.answer.places, places.length) },
    land(),
    ...points.map((point, index) => dot(point, titles[index], radius)),
    ...labelsFor(points, titles, { view, radius }).map(label),
    ...scaleBar(view, middle),
  )
  return make('div', { className: 'answer-map', dir: 'ltr' }, svg, ...overview(view))
}
