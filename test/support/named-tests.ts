// A document → the tests that its tables name by file and title, and whether each exists.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

interface NamedTest {
  readonly file: string
  readonly title: string
}

/** Rows look like: | rule | `test/x.test.ts` · title of the test | */
export const namedTests = (document: string): NamedTest[] =>
  [...document.matchAll(/`((?:test|src|demo|examples)\/[^`]+\.test\.ts)` · ([^|]+?)\s*(?:\||<br>)/g)].map(
    ([, file = '', title = '']) => ({ file, title }),
  )

/** A title may be a template: the parts between `${…}` must appear in order. */
const hasTitle = (source: string, title: string): boolean => {
  const quoted = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``]
  if (quoted.some(text => source.includes(text))) return true
  const templates = [...source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map(([, template = '']) => template)
  return templates.some(template => {
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    // A template of values alone would match any title.
    return parts.join('') !== '' && new RegExp(`^${parts.join('.+')}$`).test(title)
  })
}

export const isMissing = ({ file, title }: NamedTest): boolean => {
  const path = new URL(file, root)
  return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title)
}
