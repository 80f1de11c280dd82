import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readOwnBuild } from './own-build.ts'

const skip = spawnSync('git', ['--version']).status === 0 ? false : 'git was not found.'
const places = mkdtempSync(join(tmpdir(), 'minaret-build-'))
after(() => rmSync(places, { recursive: true }))

const git = (folder: string, ...words: string[]): string => {
  const names = ['AUTHOR', 'COMMITTER'].map(who => [`GIT_${who}_NAME`, `GIT_${who}_EMAIL`])
  const env = Object.fromEntries(names.flat().map(name => [name, 'test@example.org']))
  const always = ['-c', 'init.defaultBranch=main', '-c', 'core.autocrlf=false', '-c', 'commit.gpgsign=false']
  const set = { ...env, PATH: process.env.PATH, HOME: places, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...always, ...words], { cwd: folder, encoding: 'utf8', env: set, stdio: 'pipe' }).trim()
}

const write = (folder: string, path: string, text: string): void => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const HELD = 'src/base/build/commit.txt'
let count = 0

/** A clone with a commit. */
const makeClone = (): string => {
  count += 1
  const folder = join(places, `clone-${count}`)
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  write(folder, '.gitattributes', `${HELD} export-subst\n`)
  write(folder, HELD, '$Format:%H$\n')
  write(folder, 'src/main.ts', 'one\n')
  for (let length = 0; length < 10; length += 1) write(folder, `src/${'x'.repeat(length)}.ts`, 'padded\n')
  symlinkSync('src/main.ts', join(folder, 'link'))
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'first')
  return folder
}

const headOf = (folder: string): string => git(folder, 'rev-parse', 'HEAD')
const commitOf = (folder: string): string => readOwnBuild(folder).commit

describe('the commit of a clone', { skip }, () => {
  test('is the one that is checked out: on a branch, detached, packed, in another work tree', () => {
    const folder = makeClone()
    assert.equal(commitOf(folder), headOf(folder))
    git(folder, 'pack-refs', '--all')
    assert.equal(commitOf(folder), headOf(folder))
    write(folder, 'src/main.ts', 'two\n')
    git(folder, 'commit', '--quiet', '--all', '--message', 'second')
    assert.equal(commitOf(folder), headOf(folder))
    git(folder, 'checkout', '--quiet', '--detach', 'HEAD~1')
    assert.equal(commitOf(folder), headOf(folder))
    const other = `${folder}-other`
    git(folder, 'worktree', 'add', '--quiet', '-b', 'a/branch', other, 'main')
    assert.notEqual(headOf(other), headOf(folder))
    assert.equal(commitOf(other), headOf(other))
    const copy = `${folder}-copy`
    git(places, 'clone', '--quiet', '--depth', '1', `file://${folder}`, copy)
    assert.equal(commitOf(copy), headOf(copy))
  })

  const changes: Readonly<Record<string, (folder: string) => void>> = {
    'a file of another size': folder => write(folder, 'src/main.ts', 'longer\n'),
    'a file of the same size': folder => write(folder, 'src/main.ts', 'eno\n'),
    'a file that is gone': folder => rmSync(join(folder, 'src/main.ts')),
    'a link that leads elsewhere': folder => {
      rmSync(join(folder, 'link'))
      symlinkSync('src/niam.ts', join(folder, 'link'))
    },
    'a file that was added without its content': folder => {
      write(folder, 'src/new.ts', 'new\n')
      git(folder, 'add', '--intent-to-add', 'src/new.ts')
    },
  }
  for (const [name, change] of Object.entries(changes))
    test(`is dirty with ${name}`, () => {
      const folder = makeClone()
      change(folder)
      assert.notEqual(git(folder, 'status', '--porcelain'), '')
      assert.equal(commitOf(folder), `${headOf(folder)}-dirty`)
    })

  test('is not dirty with a file that was only touched, or that git does not know', () => {
    const folder = makeClone()
    utimesSync(join(folder, 'src/main.ts'), 1, 1)
    write(folder, 'notes.txt', 'mine\n')
    assert.equal(commitOf(folder), headOf(folder))
  })

  test('is unchecked with something staged, or an index in another format', () => {
    const staged = makeClone()
    write(staged, 'src/main.ts', 'two\n')
    git(staged, 'add', '--all')
    assert.equal(commitOf(staged), `${headOf(staged)}-unchecked`)
    git(staged, 'commit', '--quiet', '--message', 'second')
    assert.equal(commitOf(staged), headOf(staged))
    git(staged, 'update-index', '--index-version', '4')
    assert.equal(commitOf(staged), `${headOf(staged)}-unchecked`)
  })

  test('is unknown before the first one, without a clone, or if it cannot be read', () => {
    const folder = makeClone()
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/none\n')
    assert.equal(commitOf(folder), 'unknown')
    writeFileSync(join(folder, '.git/HEAD'), 'nonsense\n')
    assert.equal(commitOf(folder), 'unknown')
    rmSync(join(folder, '.git/HEAD'))
    assert.equal(commitOf(folder), 'unknown')
    rmSync(join(folder, '.git'), { recursive: true })
    assert.equal(commitOf(folder), 'unknown')
    assert.equal(commitOf(join(places, 'nowhere')), 'unknown')
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere\n')
    assert.equal(commitOf(folder), 'unknown')
  })
})

test('an archive of the source says which commit it has', { skip }, () => {
  const folder = makeClone()
  const unpacked = `${folder}-unpacked`
  mkdirSync(unpacked)
  execFileSync('tar', ['-x', '-C', unpacked], {
    input: execFileSync('git', ['archive', '--format=tar', 'HEAD'], { cwd: folder }),
  })
  assert.equal(commitOf(unpacked), headOf(folder))
})

test('so does an image, by whoever built it; nothing else is taken for a commit', () => {
  const image = join(places, 'image')
  const commit = '0123456789abcdef0123456789abcdef01234567'
  for (const [text, expected] of [
    [`${commit}\n`, commit],
    [`${commit}-dirty\n`, `${commit}-dirty`],
    ['', 'unknown'],
    ['$Format:%H$\n', 'unknown'],
    ['main\n', 'unknown'],
    [`${commit} and more\n`, 'unknown'],
  ] as const) {
    write(image, HELD, text)
    assert.equal(commitOf(image), expected)
  }
})
