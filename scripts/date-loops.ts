// No loop counts days until it meets one: with a date that somebody sends it might never end. Days are listed by `daysBetween`, which
// knows how many there are before the first.
import { globSync, readFileSync } from 'node:fs'

const ofDates = /\b(day|date|month|year|until)s?\b|\baddDays\b|\bDAY_MS\b/i

/** What is between the parentheses of a loop. */
const headAt = (text: string, from: number): string => {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at += 1) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return text.slice(from, at - 1)
}

/** The clock goes on by itself. */
const byTheClock = /\b(performance|Date)\.now\(/

const isCounting = (head: string): boolean => !/^\s*(const|let)\s[^;]*\s(of|in)\s/.test(head) && !byTheClock.test(head)

const loopsIn = (path: string): string[] => {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/\b(?:for|while) \(/g)]
    .map(({ index, 0: begin }) => ({ index, head: headAt(text, index + begin.length) }))
    .filter(({ head }) => isCounting(head) && ofDates.test(head))
    .map(({ index, head }) => `${path}:${text.slice(0, index).split('\n').length}: ${head}`)
}

const found = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).flatMap(loopsIn)
for (const loop of found) console.error(`${loop}\n  A loop over dates: use daysBetween of src/base/civil-date.ts.`)
process.exitCode = found.length === 0 ? 0 : 1
