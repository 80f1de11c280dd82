import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleRefused } from './roles.ts'

const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test('an error is told as what it is', () => {
  const { message } = roleRefused(errorWith('53300', 'sorry, too many clients already'))
  assert.equal(message, 'The roles that read and write could not be created: sorry, too many clients already.')
})

test('the details of the server are part of it', () => {
  const detail = 'Only roles with the CREATEROLE attribute may create roles.'
  const error = Object.assign(errorWith('42501', 'permission denied to create role'), { detail })
  assert.match(roleRefused(error).message, /to create role\. Only roles with .* may create roles\.$/)
})
