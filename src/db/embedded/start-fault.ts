// A failed start, as one clear sentence for the person at the terminal.

export class StartFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StartFault'
  }
}

/** PostgreSQL's programs print messages where the system has error codes. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes('No space left on device')) return 'ENOSPC'
  return 'code' in error ? String(error.code) : undefined
}

/** A file system error as a sentence that says what to do. */
export const explainFileFault = (folder: string, error: unknown): StartFault => {
  if (error instanceof StartFault) return error
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartFault(
        `The disk that holds ${folder} is full. Free some space, or set DATA_DIR to a folder on another disk.`,
        error,
      )
    case 'EACCES':
    case 'EPERM':
      return new StartFault(
        `The folder ${folder} cannot be read and written by this user. Give it to this user, or set DATA_DIR to another folder.`,
        error,
      )
    case 'EROFS':
      return new StartFault(`The folder ${folder} is on a read-only disk. Set DATA_DIR to a writable folder.`, error)
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartFault(`DATA_DIR is ${folder}, and that is not a folder. Set DATA_DIR to a folder.`, error)
    default:
      return new StartFault(
        `The data folder ${folder} cannot be prepared: ${error instanceof Error ? error.message : String(error)}`,
        error,
      )
  }
}
