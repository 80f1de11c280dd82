// `npm run docs`: writes the documents that are made from the code; a test holds them together.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { madeDocuments } from './made-documents.ts'

for (const [path, render] of Object.entries(madeDocuments)) {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), render())
  console.log(`wrote ${path}`)
}
