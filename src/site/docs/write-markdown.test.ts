import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './render-markdown.ts'
import { blocks, code, grid, plain } from './write-markdown.ts'

const HOSTILE = '<script>alert(1)</script> a|b *bold* _low_ [x](javascript:1) `tick` &lt; # ~~gone~~ \\ !\n\n## heading'

test('a comment of the database is shown as it is written, and makes no markup', () => {
  const { body, sections } = renderMarkdown(
    blocks('# Title', plain(HOSTILE), '## Fields', grid(['name', 'meaning'], [[code('a`b'), plain(HOSTILE)]])),
  )
  assert.doesNotMatch(body().text, /<(script|strong|em|a|del|h2 id="heading)/)
  assert.equal(body().text.match(/<td>/g)?.length, 2)
  const words = HOSTILE.replaceAll(/\s+/g, ' ')
  for (const { text } of sections()) assert.ok(text.includes(words), text)
  assert.equal(sections().length, 2)
})
