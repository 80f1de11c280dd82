// Writes GraphiQL's and React's prebuilt browser files into src/site/explorer/vendor, with their licences and digests.
// They are in the repository because GraphiQL as a dependency would install a hundred packages to serve a handful of files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const target = fileURLToPath(new URL('../src/site/explorer/vendor/', import.meta.url))

const packages = [
  {
    name: 'graphiql',
    version: '4.1.2',
    files: {
      'graphiql.min.js': 'graphiql.min.js',
      'graphiql.min.css': 'graphiql.min.css',
      LICENSE: 'graphiql.license',
    },
  },
  {
    name: 'react',
    version: '18.3.1',
    files: { 'umd/react.production.min.js': 'react.min.js', LICENSE: 'react.license' },
  },
  { name: 'react-dom', version: '18.3.1', files: { 'umd/react-dom.production.min.js': 'react-dom.min.js' } },
]

const digestOf = file => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`

/** npm verifies packages against the digest that the registry signs. */
const unpack = (folder, { name, version }) => {
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  mkdirSync(join(folder, name))
  execFileSync('tar', ['xzf', `${name}-${version}.tgz`, '-C', name, '--strip-components=1'], { cwd: folder })
}

const folder = mkdtempSync(join(tmpdir(), 'minaret-vendor-'))
try {
  const list = []
  mkdirSync(target, { recursive: true })
  for (const entry of packages) {
    unpack(folder, entry)
    for (const [from, to] of Object.entries(entry.files)) {
      copyFileSync(join(folder, entry.name, from), join(target, to))
      list.push({ file: to, package: `${entry.name}@${entry.version}`, from, digest: digestOf(join(target, to)) })
    }
  }
  writeFileSync(join(target, 'vendor.json'), `${JSON.stringify(list, null, 2)}\n`)
  console.log(list.map(({ file, digest }) => `${file}  ${digest}`).join('\n'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
