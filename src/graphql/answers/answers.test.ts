import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckPoint } from '../../db/changes/change-checker.ts'
import { createEpochs } from '../../db/changes/epoch.ts'
import type { Structure } from '../structure.ts'
import { createAnswers, type KeptAnswer } from './answers.ts'

const MEBIBYTE = 1024 * 1024
const structure = {} as Structure

/** A checker that finds these tables changed with every check. */
const checkerOf = (tables: readonly string[]) => {
  const epochs = createEpochs()
  const changed = tables.map(table => [table, [null]] as const)
  const check = () => epochs.add('a', changed)
  check()
  const checker = {
    get epoch() {
      return epochs.current
    },
    check: async () => {
      check()
      return epochs.current
    },
    hasReached: () => true,
  }
  const epoch = epochs.current ?? assert.fail()
  return { checker, epoch, check: epoch.check, position: undefined } as unknown as CheckPoint
}

const answerOf = (bytes: number, point = checkerOf([])): KeptAnswer =>
  ({
    response: { bytes, headers: [] },
    structure,
    sources: [{ table: 'public.x', masjids: undefined }],
    rows: 1,
    readAt: 0,
    point,
    check: point.check,
  }) as unknown as KeptAnswer

const requestOf = (key: string) =>
  ({ structure, answerKey: key, query: '{ x }', cached: {} }) as unknown as Parameters<
    ReturnType<typeof createAnswers>['keep']
  >[1]

test('whatever is kept, memory stays within its limit, and an answer that is too large is not kept', () => {
  const answers = createAnswers(MEBIBYTE)
  for (let number = 0; number < 2000; number += 1)
    answers.keep(`k${number}`, requestOf(`k${number}`), answerOf(number % 2 === 0 ? 20_000 : 10))
  const { bytes, maxBytes, kept, answers: count } = answers.figures()
  assert.ok(bytes <= maxBytes && bytes > maxBytes / 2, `${bytes} of ${maxBytes}`)
  assert.equal(kept, 2000)
  assert.ok(count > 10)
  answers.keep('large', requestOf('large'), answerOf(MEBIBYTE / 8))
  assert.equal(answers.find('large', structure), undefined)
})

test('hits, changed answers and misses are counted', async () => {
  const answers = createAnswers(MEBIBYTE)
  assert.equal(answers.isWanted('/a', false), false)
  assert.equal(answers.isWanted('/a', false), true)
  assert.equal(answers.find('k', structure), undefined)
  answers.keep('k', requestOf('k'), answerOf(10))
  const found = answers.find('k', structure) ?? assert.fail()
  assert.equal(await answers.isTrue(found.answer, undefined), true)
  assert.equal(await answers.isTrue(answerOf(10, checkerOf(['public.x'])), undefined), false)
  const { hits, changed, misses, kept } = answers.figures()
  assert.deepEqual({ hits, changed, misses, kept }, { hits: 1, changed: 1, misses: 2, kept: 1 })
})

test('what another structure meant is not found', () => {
  const answers = createAnswers(MEBIBYTE)
  answers.keep('k', requestOf('k'), answerOf(10))
  assert.equal(answers.find('k', {} as Structure), undefined)
})
