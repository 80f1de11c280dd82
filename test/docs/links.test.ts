// Links between the files of the repository: each leads to an existing file and heading.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { headingId } from '../../src/site/docs/document-sections.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'examples/*.md'], { cwd: root }).sort()
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const linksOf = (text: string): string[] =>
  [...text.replaceAll(/```.*?```|`[^`\n]*`/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => headingId(heading))

/** The site gives Arabic headings the anchors of the English ones, so that a link works in both. */
const withAnchors = (file: string): string => file.replace(/^docs\/ar\//, 'docs/guides/')

const faultOf = (file: string, link: string): string | undefined => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : join(dirname(file), path)
  if (!existsSync(join(root, target))) return `${file}: ${link} leads nowhere`
  if (anchor !== undefined && !headingsOf(read(withAnchors(target))).includes(anchor))
    return `${file}: ${link} names no heading`
  return undefined
}

test('every link between documents works', () => {
  const links = files.flatMap(file => linksOf(read(file)).map(link => ({ file, link })))
  const inside = links.filter(({ link }) => !/^[a-z]+:/.test(link))
  assert.ok(inside.length > 30, `${inside.length} links`)
  assert.deepEqual(
    inside.map(({ file, link }) => faultOf(file, link)).filter(fault => fault !== undefined),
    [],
  )
})

test('the guides use the URLs of a default start, and only their own placeholders', () => {
  for (const file of files.filter(name => /^docs\/(guides|ar)\//.test(name)))
    assert.doesNotMatch(read(file), /\{(base_url|sandbox_url|test_key|\w+_per_minute|\w+_table)\}|\]\(\/docs\//, file)
})
