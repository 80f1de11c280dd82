// Some files decide what must never be wrong. Their unit tests notice every small fault that can be put into them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mutantsOf, survivorsOf } from '../../scripts/tests/mutants.ts'

const skip = process.env.MINARET_LONG === undefined && 'in `npm run test:long` only'

/** By file: the faults that change nothing, or that only another test can notice. */
const watched: Readonly<Record<string, readonly string[]>> = {
  'base/fair-turns': [
    // With every turn taken, no line is free either.
    'if (running > rule.atOnce) return',
  ],
  'db/lanes/fate': [],
  'graphql/answers/still-true': [
    // Where nothing has changed, looking at the sources says the same.
    'if (epoch.lastMark < check) return true',
    // The check itself finds out.
    'if (checker.epoch !== epoch && !checker.hasReached(position)) return undefined',
  ],
  'http/bind': [
    // Workers of a cluster, and clients that do not read: tests of the service.
    'without boundUnread(binding.server)',
    'if (draining && cluster.isWorker) await closePort(handle ?? {}, close)',
    'if (draining || !cluster.isWorker) await closePort(handle ?? {}, close)',
  ],
  'oauth/authorize/check-redirect-uri': [],
  'oauth/authorize/decide-next-step': [],
  'site/frame/form-body': [],
}

test('a fault is made of one operator, number or statement of code', () => {
  const source = '// a < b\nif (a < 2 && !b)\n  leave(3)\n'
  const texts = mutantsOf(source).map(({ line, text }) => `${line}: ${text}`)
  assert.deepEqual(texts, [
    '2: if (a <= 2 && !b)',
    '2: if (a < 2 || !b)',
    '2: if (a < 2 && b)',
    '2: if (a < 3 && !b)',
    '3: leave(4)',
    '3: without leave(3)',
  ])
})

for (const [name, known] of Object.entries(watched))
  test(`no fault in ${name} goes unnoticed`, { skip }, async () => {
    const survivors = await survivorsOf(fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url)))
    assert.deepEqual(survivors.map(({ text }) => text).toSorted(), known.toSorted())
  })
