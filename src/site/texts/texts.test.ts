import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOf } from '../pieces/fill.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'

type Tree = { readonly [name: string]: string | Tree }

const flatten = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${path}${name}`, value] as [string, string]] : flatten(value, `${path}${name}/`),
  )

test('every text has the same places in every language', () => {
  const arabic = new Map(flatten(ar))
  for (const [path, text] of flatten(en)) {
    assert.deepEqual(placesOf(arabic.get(path) ?? '').sort(), placesOf(text).sort(), path)
  }
})

test('the catalogues list the same texts, none of them empty', () => {
  assert.deepEqual(
    flatten(ar)
      .map(([path]) => path)
      .sort(),
    flatten(en)
      .map(([path]) => path)
      .sort(),
  )
  for (const [path, text] of [...flatten(en), ...flatten(ar)]) assert.notEqual(text.trim(), '', path)
})
