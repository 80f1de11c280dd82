import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formValues } from './form-body.ts'

const form = formValues({
  name: '  Amina\0 ',
  scope: ['a', ' b ', ''],
  password: '  kept as typed ',
  twice: ['x', 'y'],
})

test('text is trimmed and stripped of what a database cannot store; passwords stay as typed', () => {
  assert.equal(form.text('name'), 'Amina')
  assert.equal(form.exact('password'), '  kept as typed ')
  assert.equal(form.text('absent'), '')
})

test('a repeated field is a list; as a single value it counts as absent', () => {
  assert.deepEqual(form.list('scope'), ['a', 'b'])
  assert.deepEqual(form.list('name'), ['Amina'])
  assert.equal(form.single('name'), '  Amina\0 ')
  assert.equal(formValues({ name: ['alone'] }).single('name'), 'alone')
  assert.equal(formValues({ name: [{ file: 'not text' }] }).single('name'), undefined)
  assert.equal(form.single('twice'), undefined)
  assert.equal(form.single('absent'), undefined)
})

test('properties that every object inherits are not fields', () => {
  for (const name of ['constructor', '__proto__', 'toString']) assert.equal(form.text(name), '')
  for (const body of [undefined, null, 'text', 3]) assert.equal(formValues(body).text('name'), '')
})
