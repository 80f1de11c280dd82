// Declarations in the code → the documents made from them. `npm run docs` writes; a test holds them together.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configurationDocument } from '../src/config-document.ts'

const documents: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationDocument,
}

for (const [path, render] of Object.entries(documents)) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), render())
  console.log(`wrote ${path}`)
}
