// A GraphQL document → the same without its values: what was asked, not about whom.
import { Lexer, Source, TokenKind } from 'graphql'

const LONGEST_READ = 4000
const LONGEST = 2000

/** Their numbers say how much was asked for. */
const paging = new Set(['limit', 'offset', 'first', 'last'])

const hidden: Readonly<Record<string, string>> = {
  [TokenKind.STRING]: '"…"',
  [TokenKind.BLOCK_STRING]: '"…"',
  [TokenKind.INT]: '…',
  [TokenKind.FLOAT]: '…',
}

/** Between two tokens there are spaces, commas and comments. */
const withoutComments = (gap: string): string => gap.replaceAll(/#[^\n\r]*/g, '')

/** What cannot be read as GraphQL ends there. */
export const redactQuery = (query: string): string => {
  const text = query.slice(0, LONGEST_READ)
  const lexer = new Lexer(new Source(text))
  let [shown, at, name] = ['', 0, '']
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      const value = paging.has(name) && token.kind === TokenKind.INT ? undefined : hidden[token.kind]
      shown += withoutComments(text.slice(at, token.start)) + (value ?? text.slice(token.start, token.end))
      at = token.end
      if (token.kind !== TokenKind.COLON) name = token.kind === TokenKind.NAME ? token.value : ''
    }
  } catch {
    shown += ' …'
  }
  return shown.trim().slice(0, LONGEST)
}
