import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPatience } from './patience.ts'

const open = (most = 1000) => {
  const patience = createPatience(most)
  let cpu = 0
  let asked = 0
  const look = (turns: number, worked: number): number => {
    cpu += worked
    return patience.look(turns, () => {
      asked += 1
      return cpu
    })
  }
  return { look, startAgain: patience.startAgain, asked: () => asked }
}

test('only CPU time counts, and only since the last turn', () => {
  const { look } = open()
  assert.equal(look(1, 700), 0)
  assert.equal(look(1, 500), 0, 'when the turn began is not known')
  assert.equal(look(1, 500), 500)
  assert.equal(look(1, 400), 900)
  assert.equal(look(2, 400), 0)
  assert.equal(look(2, 100), 0)
  assert.equal(look(2, 100), 100)
})

test('who does not work is never late: stopped, starved, waiting for a disk', () => {
  const { look } = open()
  for (let second = 0; second < 10_000; second += 1) assert.equal(look(1, 0), 0)
})

test('a leap of the CPU time counts as one look', () => {
  const { look } = open()
  look(1, 0)
  look(1, 0)
  assert.equal(look(1, 3_600_000), 1000)
  assert.equal(look(1, -3_600_000), 1000)
})

test('a process that makes its turns is not even measured', () => {
  const { look, asked } = open()
  for (let turn = 0; turn < 100; turn += 1) look(turn, 500)
  assert.equal(asked(), 0)
})

test('what went into something else is forgotten', () => {
  const { look, startAgain } = open()
  look(1, 0)
  look(1, 0)
  assert.equal(look(1, 900), 900)
  startAgain()
  assert.equal(look(1, 300), 300)
})
