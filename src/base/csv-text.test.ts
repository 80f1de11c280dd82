import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import papaparse from 'papaparse'
import { holds } from '../../test/support/holds.ts'
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
  for (const text of ['=1+1', '+1', '-1', '@sum', ' =1+1', '＝1+1', '＠sum'])
    assert.equal(writeCsv(['title'], [[text]]), `title\r\n'${text}\r\n`)
  assert.equal(writeCsv(['title'], [['\n=1+1']]), 'title\r\n"\'\n\'=1+1"\r\n')
  assert.equal(writeCsv(['title'], [['\t@sum']]), 'title\r\n"\'\t\'@sum"\r\n')
  assert.equal(writeCsv(['number'], [[-5]]), 'number\r\n-5\r\n')
})

test('what would be a formula in a spreadsheet with another separator stays text', () => {
  const written = (text: string): string => writeCsv(['title'], [[text]]).slice('title\r\n'.length, -2)
  assert.equal(written('Ali;=1+1'), `"Ali;'=1+1"`)
  assert.equal(written('Ali|+1'), `"Ali|'+1"`)
  assert.equal(written('one\n- two'), `"one\n'- two"`)
  assert.equal(written('Ali;"=1+1'), `"Ali;""'=1+1"`)
})

test('plain text is left as it is', () => {
  for (const text of ['Ali Larkspur-Reed', 'a@example.org', '2026-01-31', 'one; two', '1 + 1 = 2', 'x, -5'])
    assert.deepEqual(papaparse.parse(writeCsv(['text'], [[text]]).trimEnd()).data, [['text'], [text]])
})

const QUOTE = '"'

/** As spreadsheets read: a quote counts only at the start of a cell, after blanks too; what follows its end is added. */
const readLoosely = (text: string, separator: string): string[] => {
  const cells: string[] = []
  let [at, cell, isQuoted] = [0, '', false]
  let isStart = true
  for (; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (isQuoted && letter === QUOTE && text.charAt(at + 1) === QUOTE) {
      cell += QUOTE
      at += 1
    } else if (isQuoted && letter === QUOTE) isQuoted = false
    else if (isQuoted) cell += letter
    else if (letter === QUOTE && isStart) isQuoted = true
    else if (letter === separator || letter === '\r' || letter === '\n') {
      cells.push(cell)
      cell = ''
    } else cell += letter
    isStart = !isQuoted && cell.trim() === ''
  }
  return [...cells, cell]
}

test('no separator makes a formula of any text', async () => {
  const piece = fc.constantFrom(...'=+-@＝;,|\t\r\n" \'a1'.split(''))
  const text = fc.string({ unit: piece, maxLength: 12 })
  const rows = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  await holds(
    fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (texts, separator) => {
      const written = writeCsv(['title'], texts)
      for (const cell of readLoosely(written, separator))
        assert.doesNotMatch(cell.trimStart(), /^[=+\-@＝]/, JSON.stringify([written, cell]))
    }),
  )
})

test('a long text of nothing but blanks and quotes takes no time', () => {
  const text = '\t" '.repeat(100_000)
  const before = process.threadCpuUsage().user
  writeCsv(['title'], [[text]])
  assert.ok(process.threadCpuUsage().user - before < 1_000_000)
})
