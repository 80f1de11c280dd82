import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCsv } from './csv-text.ts'

test('cells are quoted where they must be, and nulls are empty', () => {
  const rows = [['a,b', 'say "yes"', 'two\nlines', null, 7, true, new Date('2026-01-01T00:00:00Z')]]
  const columns = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  assert.equal(
    writeCsv(columns, rows),
    'one,two,three,four,five,six,seven\r\n"a,b","say ""yes""","two\nlines",,7,true,2026-01-01T00:00:00Z\r\n',
  )
})

test('text that looks like a formula stays text', () => {
  for (const text of ['=1+1', '+1', '-1', '@sum', ' =1+1', '\t@sum', '＝1+1', '＠sum'])
    assert.equal(writeCsv(['title'], [[text]]), `title\r\n'${text}\r\n`)
  assert.equal(writeCsv(['title'], [['\n=1+1']]), 'title\r\n"\'\n=1+1"\r\n')
  assert.equal(writeCsv(['number'], [[-5]]), 'number\r\n-5\r\n')
})
