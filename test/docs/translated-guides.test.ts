// The guides say in every language what the English ones say: none is missing, and each has the same samples, headings, tables, lists, code and links.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { Marked, type Token, type Tokens } from 'marked'
import { languages } from '../../src/accounts/languages.ts'
import { guideFile, guideSlugs, readGuide } from '../../src/site/docs/guides.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`../../docs/${folder}/`, import.meta.url))
    .map(name => name.replace('.md', ''))
    .sort()

/** Comments may be translated. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^(\s*)(#|\/\/) .*$/gm, '$1$2')

const blockOf = (token: Token): string | undefined => {
  if (token.type === 'heading') return `heading ${(token as Tokens.Heading).depth}`
  if (token.type === 'code') return `code ${(token as Tokens.Code).lang ?? ''}\n${withoutComments(token.raw)}`
  if (token.type === 'list') return `list of ${(token as Tokens.List).items.length}`
  if (token.type !== 'table') return undefined
  const { header, rows } = token as Tokens.Table
  return `table of ${rows.length} by ${header.length}`
}

/** What a translation keeps, in its order; paragraphs may be divided in another way. */
const blocksOf = (markdown: string): string[] => new Marked().lexer(markdown).flatMap(token => blockOf(token) ?? [])

const partsOf = (markdown: string, type: string): string[] => {
  const parts = new Set<string>()
  const marked = new Marked()
  marked.walkTokens(marked.lexer(markdown), token => {
    if (token.type === type) parts.add(type === 'link' ? (token as Tokens.Link).href : token.raw)
  })
  return [...parts].sort()
}

for (const language of languages) {
  test(`every guide is there in the language ${language}, and no other`, () => {
    assert.deepEqual(filesIn(dirname(guideFile('', language))), [...guideSlugs].sort())
  })

  for (const slug of guideSlugs)
    test(`the guide ${slug} has in the language ${language} the samples, headings, code and links of the English one`, () => {
      const [english, translated] = [readGuide(slug, 'en'), readGuide(slug, language)]
      assert.deepEqual(blocksOf(translated), blocksOf(english))
      for (const type of ['codespan', 'link']) assert.deepEqual(partsOf(translated, type), partsOf(english, type), type)
    })
}

test('the Arabic guides are Arabic: every heading but names, and every paragraph', () => {
  for (const slug of guideSlugs) {
    const text = readGuide(slug, 'ar').replaceAll(/^```.*?^```$/gms, '')
    for (const block of text.split('\n\n'))
      assert.match(block, /\p{Script=Arabic}|^\s*$|^## (GraphQL|OAuth)$/u, `${slug}: ${block}`)
  }
})
