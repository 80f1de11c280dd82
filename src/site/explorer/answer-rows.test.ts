import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { labelsFor, scaleOf, viewOf } from './client/answer/map-layout.js'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { columnsOf, flatRows, listsIn, placesIn } from './client/answer/rows.js'

test('lists are found at the root and inside of objects; a single row is a list of one', () => {
  const rows = [{ id: 1 }, { id: 2 }]
  assert.deepEqual(listsIn({ up_masjids: rows }), [{ name: 'up_masjids', rows }])
  assert.deepEqual(listsIn({ total: { groups: rows }, other: [] }), [{ name: 'total.groups', rows }])
  assert.deepEqual(listsIn({ one: { id: 1, in: { city: 'Chicago' } } }), [
    { name: 'one', rows: [{ id: 1, in: { city: 'Chicago' } }] },
  ])
  for (const nothing of [null, undefined, {}, { up_masjids: [] }, { up_masjids_by_pk: null }])
    assert.deepEqual(listsIn(nothing), [])
})

test('columns of nested objects have a path, whichever row has them', () => {
  const flat = flatRows([
    { id: 1, masjid: null },
    { id: 2, masjid: { name: 'A', tags: ['x'] } },
  ])
  assert.deepEqual(columnsOf(flat), ['id', 'masjid', 'masjid.name', 'masjid.tags'])
})

test('places are rows with coordinates of their own or of what they belong to, and nothing beyond the globe', () => {
  const flat = flatRows([
    { title: 'Iftar', masjid: { name: 'A', latitude: 41.9, longitude: -87.6 } },
    { name: 'B', latitude: 91, longitude: 0 },
    { name: 'C', latitude: '1', longitude: 2 },
    { name: 'D', latitude: null, longitude: null },
  ])
  assert.deepEqual(placesIn(flat), [{ latitude: 41.9, longitude: -87.6, title: 'A' }])
})

const frame = { width: 688, height: 288, perLongitude: 1.966 }

test('the map shows every place, however near or far they are, and stays within the world', () => {
  for (const points of [
    [{ x: 10, y: 10 }],
    [
      { x: 100, y: 100 },
      { x: 100.2, y: 100.1 },
    ],
    [
      { x: 0, y: 0 },
      { x: 688, y: 288 },
    ],
  ]) {
    const { x, y, width, height } = viewOf(points, frame)
    assert.ok(x >= 0 && y >= 0 && x + width <= 688.001 && y + height <= 288.001)
    for (const point of points) assert.ok(point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height)
  }
})

test('names do not lie over each other, and the scale is a round number', () => {
  const points = [
    { x: 100, y: 100 },
    { x: 100.01, y: 100.01 },
    { x: 100, y: 130 },
  ]
  const view = viewOf(points, frame)
  assert.equal(labelsFor(points, ['One', 'Two', 'Three'], { view, radius: 0.0001 }).length, 2)
  const { kilometres, length } = scaleOf(view, 40, frame)
  assert.match(String(kilometres), /^[125]0*$/)
  assert.ok(length <= view.width / 5)
})
