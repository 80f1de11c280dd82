import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { holds } from '../../test/support/holds.ts'
import { escapeText, foldLine, writeCalendar } from './calendar-text.ts'

test('text is escaped', () => {
  assert.equal(escapeText('a;b,c\\d\r\ne\nf'), 'a\\;b\\,c\\\\d\\ne\\nf')
  assert.equal(escapeText('bell\u0007 nul\u0000'), 'bell nul')
})

test('no line is longer than 75 octets, and no character is split', () => {
  const folded = foldLine(`SUMMARY:${'مسجد النور '.repeat(30)}`)
  for (const line of folded.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(!line.includes('\ufffd'))
  }
  assert.equal(folded.replaceAll('\r\n ', ''), `SUMMARY:${'مسجد النور '.repeat(30)}`)
})

test('a parser reads back any text', async () => {
  await holds(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
      const calendar = writeCalendar({ name: 'VEVENT', properties: [['SUMMARY', escapeText(text)]] })
      const read = new ICAL.Component(ICAL.parse(calendar)).getFirstPropertyValue('summary')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed on purpose
      const plain = text.replaceAll(/\r\n|\r/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      assert.equal(read ?? '', plain)
    }),
  )
})
