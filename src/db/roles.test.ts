import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleRefused } from './roles.ts'

const statements = ["alter role reader login inherit password 'secret'", 'grant minaret_reader to reader']
const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test('whoever may not create roles is told what an administrator runs, without the password', () => {
  const { message } = roleRefused(statements, errorWith('42501', 'permission denied to create role'))
  assert.match(message, /roles that read and write: permission denied to create role\. Grant CREATEROLE/)
  assert.match(message, /password '…'; grant minaret_reader to reader$/)
})

test('any other error is told as what it is', () => {
  const { message } = roleRefused(statements, errorWith('53300', 'sorry, too many clients already'))
  assert.equal(
    message,
    'The database refused to create the roles that read and write: sorry, too many clients already.',
  )
})
