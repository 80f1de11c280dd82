// Lines of `src` that do not fit a screen. Sentences and patterns may be longer, and so may the files that are made of them.
import { globSync, readFileSync } from 'node:fs'

const WIDEST = 140
/** Of a line that is wider, this much may be other than text. */
const MOST_CODE = 60

const madeOfText = /(texts|catalogue|document|words|serve|settings)[\w.-]*\.ts$|\/vendor\//
const text = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const pattern = /^\s*\/.*\/[a-z]*(\.exec\()?$/

const isTooWide = (line: string): boolean =>
  line.length > WIDEST && !pattern.test(line) && line.replaceAll(text, '').length > MOST_CODE

/** Templates of pages from before this rule: fewer from change to change, and none more. */
const allowed = (path: string): boolean => path.startsWith('src/site/')
const MOST_ALLOWED = 274

const found = globSync('src/**/*.{ts,js}')
  .filter(path => !madeOfText.test(path))
  .flatMap(path =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => (isTooWide(line) ? [{ path, at: `${path}:${index + 1}` }] : [])),
  )
const old = found.filter(({ path }) => allowed(path))
const faults = found.filter(({ path }) => !allowed(path))
for (const { at } of faults) console.error(`${at}: more than ${WIDEST} characters. Give what it writes a name first.`)
if (old.length > MOST_ALLOWED)
  console.error(`Pages have ${old.length} lines of more than ${WIDEST} characters; there were ${MOST_ALLOWED}.`)
process.exitCode = faults.length === 0 && old.length <= MOST_ALLOWED ? 0 : 1
