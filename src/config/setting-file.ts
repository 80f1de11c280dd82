// The path in `NAME_FILE` → the setting's text: how containers and systemd pass secrets on, out of sight of `ps` and crash reports.
import { readFileSync } from 'node:fs'

const LONGEST = 65_536

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
}

export type FileText = { readonly text: string } | { readonly fault: string }

/** The line break that editors and `echo` leave at the end is not part of the secret. */
const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '')

export const readSettingFile = (variable: string, path: string): FileText => {
  const refuse = (reason: string): FileText => ({
    fault: `cannot be read: the file ${path}, named by ${variable}, ${reason}. Correct the path, the file or its owner.`,
  })
  try {
    const text = withoutLineBreak(readFileSync(path, 'utf8'))
    if (text.trim() === '') return refuse('is empty')
    return text.length > LONGEST ? refuse(`has more than ${LONGEST} characters`) : { text }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return refuse(reasons[code] ?? `cannot be opened (${code})`)
  }
}
