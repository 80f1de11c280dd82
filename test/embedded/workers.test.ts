import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startMinaretProcess } from '../support/process.ts'
import { temporaryUsedFolder } from '../support/used-folder.ts'

test('several workers serve the same ports, and all stop together', async () => {
  const folder = await temporaryUsedFolder()
  try {
    const minaret = await startMinaretProcess({ DATA_DIR: folder.path, DEMO_DATA: 'off', WORKERS: '2' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${minaret.baseUrl}/readyz`, { headers: { connection: 'close' } })),
    )
    assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
    assert.equal(await minaret.stop(), 0, minaret.output())
    await assert.rejects(fetch(`${minaret.baseUrl}/healthz`))
    assert.ok(!existsSync(join(folder.path, 'postgres/postmaster.pid')))
  } finally {
    folder.remove()
  }
})
