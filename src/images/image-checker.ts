// Bytes from anywhere → an image that pages may show, looked into on a thread of its own.
import { createSideThread } from '../threads/side-thread.ts'
import { TookTooMuch } from '../threads/took-too-much.ts'
import type { CheckedImage } from './check-image.ts'
import type { CheckingTasks } from './checking-thread.ts'
import { ImageRefused } from './refused.ts'

export interface ImageChecker {
  /** @param address of the image: hosts take turns @throws {ImageRefused} */
  check(address: string, bytes: Buffer): Promise<CheckedImage>
  end(): Promise<void>
}

export const createImageChecker = (): ImageChecker => {
  const thread = createSideThread<CheckingTasks>({
    script: new URL('./checking-thread.ts', import.meta.url),
    name: 'images',
  })
  return {
    check: async (address, bytes) => {
      const checked = await thread.run(new URL(address).host, 'check', bytes).catch(error => {
        throw error instanceof TookTooMuch ? new ImageRefused('broken') : error
      })
      if ('refused' in checked) throw new ImageRefused(checked.refused)
      return { type: checked.type, content: Buffer.from(checked.content) }
    },
    end: thread.end,
  }
}
