import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUserCode, readUserCode, showUserCode } from './user-code.ts'

test('a code has eight letters without vowels, shown in two halves', () => {
  for (let count = 0; count < 200; count += 1) {
    const shown = showUserCode(newUserCode())
    assert.match(shown, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  }
})

test('case, dashes and spaces do not matter when a code is typed', () => {
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB–MJHT', 'w d j b - m j h t'])
    assert.equal(readUserCode(typed), 'WDJBMJHT', typed)
})

test('what cannot be a code is none', () => {
  for (const typed of ['', 'WDJB-MJH', 'WDJB-MJHTT', 'WDJA-MJHT', 'WDJ1-MJHT', "'; drop table", 'ｗｄｊｂｍｊｈｔ'])
    assert.equal(readUserCode(typed), undefined, typed)
})
