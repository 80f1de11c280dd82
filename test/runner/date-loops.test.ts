// The check of loops over dates finds them however they are written, and leaves others alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findDateLoops } from '../../scripts/find-date-loops.ts'

const found = {
  'in its head': 'for (let day = first; day <= last; day = addDays(day, 1)) list.push(day)',
  'without a space': 'for(let at = first; at <= end; at = addDays(at, 1)) list.push(at)',
  'stepped in its body': 'while (at <= end) {\n  list.push(at)\n  at = addDays(at, 1)\n}',
  'stepped in one statement': 'while (cursor < end) cursor += DAY_MS',
  'by a Date that is changed': 'while (cursor < end) {\n  cursor.setUTCDate(cursor.getUTCDate() + 1)\n}',
  'until it breaks off': 'for (;;) {\n  if (at === end) break\n  at = dateOf(dayNumberOf(at) + 1)\n}',
  'looked at behind': 'do {\n  at = addDays(at, 1)\n} while (at !== end)',
  'in a generator': 'function* all(at: string) {\n  while (true) {\n    yield at\n    at = addDays(at, 1)\n  }\n}',
  'by a call of itself':
    'const listFrom = (at: string, end: string): string[] =>\n  at > end ? [] : [at, ...listFrom(addDays(at, 1), end)]\n',
  'by a function that calls itself':
    'function listFrom(at: string): string[] {\n  return at > end ? [] : [at, ...listFrom(addDays(at, 1))]\n}\n',
}

const others = {
  'a list of days': 'for (const day of days) list.push(addDays(day, 1))',
  'so many steps': 'for (let count = 1; count <= most; count += 1) {\n  list.push(addDays(first, count))\n}',
  'the clock': 'while (performance.now() < until) await delay(LOOK_MS)',
  'pages of rows':
    'for (;;) {\n  const rows = await next()\n  if (rows.length === 0) return\n}\nconst later = addDays(today, 1)\n',
  'one step': 'const tomorrow = (today: string): string => addDays(today, 1)\n',
}

describe('a loop over dates', () => {
  for (const [how, text] of Object.entries(found))
    test(`${how} is found`, () => assert.equal(findDateLoops(text).length, 1))
})

describe('what is none', () => {
  for (const [what, text] of Object.entries(others))
    test(`${what} is left alone`, () => assert.deepEqual(findDateLoops(text), []))
})
