// The thread that looks into images before anybody sees them.
import { serveTasks } from '../threads/serve-tasks.ts'
import { type CheckedImage, checkImage } from './check-image.ts'
import { ImageRefused } from './refused.ts'

/** Errors lose their class between threads. */
type Checked = CheckedImage | { readonly refused: ImageRefused['reason'] }

const tasks = {
  check: async (bytes: Uint8Array): Promise<Checked> => {
    try {
      return await checkImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    } catch (error) {
      if (error instanceof ImageRefused) return { refused: error.reason }
      throw error
    }
  },
}

export type CheckingTasks = typeof tasks

serveTasks(tasks)
