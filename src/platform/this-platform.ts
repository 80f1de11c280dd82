// The operating system that this process runs on.
import { linux } from './linux.ts'
import { macos } from './macos.ts'
import type { Platform } from './platform.ts'

export const platformFor = (name: NodeJS.Platform): Platform => (name === 'linux' ? linux : macos)

export const thisPlatform: Platform = platformFor(process.platform)
