import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleRefused } from './roles.ts'

const statements = ["alter role reader login inherit password 'secret'", 'grant minaret_reader to reader']
const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test('whoever may not create roles is told what an administrator runs, without the password', () => {
  const { message } = roleRefused(statements, errorWith('42501', 'permission denied to create role'))
  assert.match(message, /could not be created: permission denied to create role\. Grant CREATEROLE/)
  assert.match(message, /password '…'; grant minaret_reader to reader$/)
})

test('any other error is told as what it is', () => {
  const { message } = roleRefused(statements, errorWith('53300', 'sorry, too many clients already'))
  assert.equal(message, 'The roles that read and write could not be created: sorry, too many clients already.')
})

test('the details of the server are part of it', () => {
  const detail = 'Only roles with the CREATEROLE attribute may create roles.'
  const error = Object.assign(errorWith('42501', 'permission denied to create role'), { detail })
  assert.match(roleRefused(statements, error).message, /create role\. Only roles with .* may create roles\. Grant/)
})
