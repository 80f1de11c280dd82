// A document → its code blocks by the names behind their language: "```sh install" is the block `install`.
import { readFileSync } from 'node:fs'

export const namedBlocks = (document: string): ReadonlyMap<string, string> => {
  const text = readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8')
  return new Map(
    [...text.matchAll(/^```\w+ ([\w-]+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]),
  )
}
