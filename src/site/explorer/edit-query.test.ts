import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'graphql'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { addField, removeField, setArgument } from './client/builder/edit-query.js'
// @ts-expect-error: a script for the browser, in plain JavaScript
import { fieldAt, readQuery } from './client/builder/read-query.js'

const commented = `# Masjids of one city.
{
  up_masjids(
    where: {city: {_eq: "Chicago"}}
    limit: 5
  ) {
    id # the key
    name
  }
}
`

const read = (text: string) => readQuery(text, parse)
const masjids = { name: 'up_masjids', given: '(limit: 10)', inside: [{ name: 'id' }] }

test('a ticked field is added where it belongs, and everything else stays as it was typed', () => {
  const added = addField(read(commented), [masjids, { name: 'city' }])
  assert.equal(added, commented.replace('    name\n', '    name\n    city\n'))
  const nested = addField(read(added), [masjids, { name: 'entity' }, { name: 'legal_name' }])
  assert.match(nested, / {4}city\n {4}entity \{\n {6}legal_name\n {4}\}\n {2}\}/)
  assert.match(nested, /^# Masjids of one city\.\n/)
  assert.doesNotThrow(() => parse(nested))
})

test('a field is added on the same line where all others are', () => {
  const added = addField(read('{ up_masjids { id } }'), [masjids, { name: 'name' }])
  assert.equal(added, '{ up_masjids { id name } }')
  assert.equal(
    addField(read('{up_masjids{id}}'), [{ name: 'up_events', inside: [{ name: 'id' }] }]),
    '{up_masjids{id} up_events { id } }',
  )
})

test('the first field makes the query, of the kind that is wanted, and comments stay', () => {
  assert.equal(addField(read(''), [masjids]), '{\n  up_masjids(limit: 10) {\n    id\n  }\n}\n')
  assert.equal(
    addField(read('# later\n'), [masjids], 'subscription'),
    '# later\nsubscription {\n  up_masjids(limit: 10) {\n    id\n  }\n}\n',
  )
})

test('a field without fields gets them', () => {
  assert.equal(addField(read('{\n  up_masjids\n}\n'), [masjids, { name: 'id' }]), '{\n  up_masjids {\n    id\n  }\n}\n')
})

test('an unticked field goes with its line; what has nothing left inside goes too', () => {
  const left = removeField(read(commented), ['up_masjids', 'id'])
  assert.equal(left, commented.replace('    id # the key\n', ''))
  assert.equal(removeField(read(left), ['up_masjids', 'name']), '# Masjids of one city.\n')
  assert.equal(
    removeField(read('{ up_masjids { id name } up_events { id } }'), ['up_masjids', 'id']),
    '{ up_masjids { name } up_events { id } }',
  )
  assert.equal(
    removeField(read('{ up_masjids { id name } up_events { id } }'), ['up_events', 'id']),
    '{ up_masjids { id name } }',
  )
  assert.equal(removeField(read('{ a: name b: name id }'), ['name']), '{ id }')
})

test('arguments are written, changed and taken away', () => {
  const change = (text: string, name: string, value: string | undefined): string => {
    const query = read(text)
    return setArgument(query, fieldAt(query, ['up_masjids']), { name, value })
  }
  assert.equal(change('{ up_masjids { id } }', 'limit', '3'), '{ up_masjids(limit: 3) { id } }')
  assert.equal(change('{ up_masjids(limit: 3) { id } }', 'limit', '4'), '{ up_masjids(limit: 4) { id } }')
  assert.equal(change('{ up_masjids(limit: 3) { id } }', 'limit', undefined), '{ up_masjids { id } }')
  assert.equal(change('{ up_masjids(limit: 3) { id } }', 'offset', '1'), '{ up_masjids(limit: 3, offset: 1) { id } }')
  assert.equal(
    change('{ up_masjids(limit: 3, offset: 1) { id } }', 'offset', undefined),
    '{ up_masjids(limit: 3) { id } }',
  )
  assert.equal(
    change('{ up_masjids(limit: 3, offset: 1) { id } }', 'limit', undefined),
    '{ up_masjids(offset: 1) { id } }',
  )
  assert.equal(change(commented, 'limit', undefined), commented.replace('    limit: 5\n', ''))
  assert.equal(
    change(commented, 'order_by', '{name: asc}'),
    commented.replace('    limit: 5\n', '    limit: 5\n    order_by: {name: asc}\n'),
  )
})

test('what is not a document yet is not read', () => {
  assert.equal(read('{ up_masjids {'), undefined)
  assert.equal(read('# nothing yet').operation, undefined)
})
