// A directory that another program writes into `minaret masjids import`: as text in a pipe, from a file, and far more than fits into memory.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Counts, csv, HEADER, rowOf, useImports } from './use-imports.ts'

const minaret = useMinaret()
const { environment, pathOf } = useImports(minaret)
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

interface Ran {
  readonly status: number | null
  readonly counts: Partial<Counts>
  readonly stderr: string
}

/** Of which old objects may take so many megabytes. */
const HEAP_MB = 96

const read = (output: Readable | null): Promise<string> => (output === null ? Promise.resolve('') : text(output))

/** By a shell, standard input is a pipe; started by Node, it is a socket; and it may be a file. */
const start = (
  source: string,
  { command = '', input = 'pipe' }: { command?: string; input?: 'pipe' | number } = {},
) => {
  const words = ['masjids', 'import', '/dev/stdin', '--source', source, '--licence', 'None', '--json']
  const line = [`--max-old-space-size=${HEAP_MB}`, main, ...words]
  const env = { ...process.env, ...environment() }
  const child =
    command === ''
      ? spawn(process.execPath, line, { env, stdio: [input, 'pipe', 'pipe'] })
      : spawn('sh', ['-c', `${command} | "$@"`, 'sh', process.execPath, ...line], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        })
  const ended = Promise.all([once(child, 'exit'), read(child.stdout), read(child.stderr)])
  const ran = async (): Promise<Ran> => {
    const [[status], stdout, stderr] = await ended
    return { status, stderr, counts: stdout === '' ? {} : JSON.parse(stdout) }
  }
  return { child, ran }
}

const rows = (first: string): string => csv(rowOf(`${first}1`, 60), rowOf(`${first}2`, 61))

const isAdded = ({ status, counts, stderr }: Ran): void => {
  assert.equal(status, 0, stderr)
  assert.deepEqual([counts.read, counts.unchanged ?? 0, counts.added], [2, 0, 2])
}

test('from a pipe of the shell', async () => {
  const path = pathOf('piped.csv')
  writeFileSync(path, rows('pipe'))
  isAdded(await start('Pipe', { command: `cat '${path}'` }).ran())
})

test('from a file that is standard input', async () => {
  const path = pathOf('redirected.csv')
  writeFileSync(path, rows('file').replaceAll(',6', ',7'))
  isAdded(await start('File', { input: openSync(path, 'r') }).ran())
})

test('from another program, a few letters at a time', async () => {
  const { child, ran } = start('Program')
  for (const letter of rows('program').replaceAll(',6', ',8')) child.stdin?.write(letter)
  child.stdin?.end()
  isAdded(await ran())
})

test('what is no directory ends the command, though the other program goes on writing', async () => {
  const { status, stderr } = await start('None', { command: 'yes no,directory' }).ran()
  assert.equal(status, 1)
  assert.match(stderr, /the header lacks the columns source_id/)
})

test('far more than fits into memory is read, row by row', async () => {
  const [pages, characters] = [300, 600_000]
  const { child, ran } = start('Large')
  // The process may end before it has read everything, and says so.
  child.stdin?.on('error', () => undefined)
  child.stdin?.write(`${HEADER},description\n`)
  for (let page = 0; page < pages; page += 1) {
    const row = `${rowOf(`large${page}`, 60 + page / 20).replace('33.5', '45')},${'x'.repeat(characters)}\n`
    if (child.stdin?.write(row) === false) await once(child.stdin, 'drain')
  }
  child.stdin?.end()
  const { status, counts, stderr } = await ran()
  assert.equal(status, 0, stderr)
  assert.deepEqual([counts.read, counts.added], [pages, pages])
  assert.ok(pages * characters > HEAP_MB * 1.5 * 1024 * 1024)
  const rows = await minaret().service.database.query(sql`select from up_masjid_origins where source = 'Large'`)
  assert.equal(rows.length, pages)
})
