// An answer → its lists of rows, their columns, and the places in them. Pure.

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = value => Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Lists at the root, and inside of what is not a list, as `groups` of totals; by their path. A single object is a list of one. */
export const listsIn = (data, path = []) => {
  if (!isObject(data)) return []
  const lists = Object.entries(data).flatMap(([name, value]) => {
    const here = [...path, name]
    if (isRows(value)) return [{ name: here.join('.'), rows: value }]
    return isObject(value) ? listsIn(value, here) : []
  })
  return lists.length === 0 && path.length === 1 ? [{ name: path[0], rows: [data] }] : lists
}

/** Nested objects become columns with a path; lists stay as they are. */
const flat = (row, prefix = '') =>
  Object.entries(row).flatMap(([name, value]) =>
    isObject(value) ? flat(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]],
  )

export const flatRows = rows => rows.map(row => Object.fromEntries(flat(row)))

export const columnsOf = flattened => [...new Set(flattened.flatMap(row => Object.keys(row)))]

export const cellText = value => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const isBetween = (value, most) => typeof value === 'number' && Math.abs(value) <= most

const coordinatesIn = row => {
  for (const [name, latitude] of Object.entries(row)) {
    if (!/(^|\.)latitude$/.test(name)) continue
    const longitude = row[name.replace(/latitude$/, 'longitude')]
    if (isBetween(latitude, 90) && isBetween(longitude, 180)) return { latitude, longitude }
  }
  return undefined
}

const TITLES = /(^|\.)(name|title|slug|city|id)$/

/** What a row is called: its name, or the first thing like one. */
const titleOf = row => {
  const names = Object.keys(row).filter(name => TITLES.test(name))
  const best = names.toSorted((one, other) => rank(one) - rank(other))[0]
  return best === undefined ? '' : cellText(row[best])
}

const rank = name => ['name', 'title', 'slug', 'city', 'id'].indexOf(name.split('.').at(-1))

export const placesIn = flattened =>
  flattened.flatMap(row => {
    const found = coordinatesIn(row)
    return found === undefined ? [] : [{ ...found, title: titleOf(row) }]
  })
