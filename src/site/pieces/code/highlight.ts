// A sample and its language → the sample with its parts marked, coloured by `code.css`. Done here, so that pages need no script for it.
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import graphql from 'highlight.js/lib/languages/graphql'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import python from 'highlight.js/lib/languages/python'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { type Html, html, rawHtml } from '../html.ts'

/** By the names that fences of Markdown use. */
const languages = {
  sh: bash,
  graphql,
  http,
  html: xml,
  js: javascript,
  json,
  kotlin,
  python,
  swift,
  ts: typescript,
} as const

for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)

/** The library escapes the text. In another language it stays plain. */
export const highlighted = (text: string, language: string): Html =>
  Object.hasOwn(languages, language) ? rawHtml(highlighter.highlight(text, { language }).value) : html`${text}`
