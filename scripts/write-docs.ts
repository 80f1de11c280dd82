// `npm run docs`: writes the generated documents; a test checks that they are up to date.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TEMPLATE } from '../test/support/database.ts'
import { apiDocumentOf } from './api-document.ts'
import { madeDocuments } from './made-documents.ts'
import { startTestCluster } from './tests/cluster.ts'

const write = (path: string, text: string): void => {
  writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text)
  console.log(`wrote ${path}`)
}

for (const [path, render] of Object.entries(madeDocuments)) write(path, render())

// The API reference is generated from a migrated database.
const cluster = await startTestCluster()
try {
  write('docs/api.md', await apiDocumentOf({ ...cluster.connection, database: TEMPLATE }))
} finally {
  await cluster.stop()
}
