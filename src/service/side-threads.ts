// The threads beside the one that serves: files, images and pictures are read and drawn there. Each starts with its first task.
import { createImageChecker, type ImageChecker } from '../images/image-checker.ts'
import { type Drawing, openDrawing } from '../site/drawing/draw-picture.ts'
import { createSheetReader, type SheetReader } from '../timetables/reading/sheet-reader.ts'
import type { Unwind } from './unwind.ts'

export interface SideThreads {
  readonly sheets: SheetReader
  readonly images: ImageChecker
  readonly drawing: Drawing
}

export const openSideThreads = (undo: Unwind): SideThreads => {
  const threads = { sheets: createSheetReader(), images: createImageChecker(), drawing: openDrawing() }
  for (const thread of Object.values(threads)) undo.add(() => thread.end())
  return threads
}
