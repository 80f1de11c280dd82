// A password → the name of a file with it, for as long as a command reads it: commands take none among their arguments.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const withPasswordFile = async <T>(password: string, work: (file: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-bench-password-'))
  const file = join(folder, 'password')
  try {
    writeFileSync(file, password, { mode: 0o600 })
    return await work(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
