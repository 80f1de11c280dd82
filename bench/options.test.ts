import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChosen, readOptions } from './options.ts'

test('a quick run is small and short unless options say otherwise', () => {
  assert.deepEqual(readOptions(['--quick'])?.timing, { rounds: 1, milliseconds: 500, warmUpMilliseconds: 500 })
  assert.equal(readOptions(['--quick'])?.size, 0.1)
  assert.equal(readOptions(['--quick', '--size', '2'])?.size, 2)
  assert.equal(readOptions([])?.size, 1)
  assert.equal(readOptions(['--help']), undefined)
})

test('a quick, small or short run judges no bar and publishes nothing', () => {
  const able = (...words: string[]) => readOptions(words)
  assert.deepEqual([able()?.canJudge, able()?.publish, able()?.timing.rounds], [true, true, 20])
  assert.deepEqual([able('--only', 'graphql')?.canJudge, able('--only', 'graphql')?.publish], [true, false])
  for (const words of [['--quick'], ['--quick', '--rounds', '30'], ['--rounds', '19'], ['--size', '0.5']]) {
    const options = readOptions(words)
    assert.deepEqual([options?.canJudge, options?.publish], [false, false], words.join(' '))
    assert.throws(() => readOptions([...words, '--publish']), /at least 20 rounds/)
  }
})

test('invalid options are refused with the usage', () => {
  for (const words of [['--size', 'large'], ['--rounds', '0'], ['--unknown']])
    assert.throws(() => readOptions(words), /Usage: npm run bench/)
})

test('a name selects everything that starts with it, and its group', () => {
  const options = readOptions(['--only', 'graphql.list,startup'])
  assert.ok(options)
  const names = ['graphql', 'graphql.list', 'graphql.by-key', 'startup', 'growth']
  assert.deepEqual(
    names.filter(name => isChosen(name, options)),
    ['graphql', 'graphql.list', 'startup'],
  )
})
