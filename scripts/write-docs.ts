// `npm run docs`: writes the documents that are made from the code; a test holds them together.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TEMPLATE } from '../test/support/database.ts'
import { apiDocumentOf } from './api-document.ts'
import { madeDocuments } from './made-documents.ts'
import { startTestCluster } from './test-cluster.ts'

const write = (path: string, text: string): void => {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text)
  console.log(`wrote ${path}`)
}

for (const [path, render] of Object.entries(madeDocuments)) write(path, render())

// The reference of the API is made from the tables themselves.
const cluster = await startTestCluster()
try {
  write('docs/api.md', await apiDocumentOf({ ...cluster.connection, database: TEMPLATE }))
} finally {
  await cluster.stop()
}
