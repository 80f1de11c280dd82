// The threads beside the one that serves: files, images and pictures are read and drawn there, years of prayer times
// compared, and time zones of places found. Each starts with its first task.
import { createImageChecker, type ImageChecker } from '../images/image-checker.ts'
import { createZoneFinder, type ZoneFinder } from '../place-times/zones/zone-finder.ts'
import { createRuleComparer, type RuleComparer } from '../prayer/comparing/rule-comparer.ts'
import { type Drawing, openDrawing } from '../site/drawing/draw-picture.ts'
import { createSheetReader, type SheetReader } from '../timetables/reading/sheet-reader.ts'
import type { Unwind } from './unwind.ts'

export interface SideThreads {
  readonly sheets: SheetReader
  readonly images: ImageChecker
  readonly drawing: Drawing
  readonly rules: RuleComparer
  readonly zones: ZoneFinder
}

export const openSideThreads = (undo: Unwind): SideThreads => {
  const threads = {
    sheets: createSheetReader(),
    images: createImageChecker(),
    drawing: openDrawing(),
    rules: createRuleComparer(),
    zones: createZoneFinder(),
  }
  for (const thread of Object.values(threads)) undo.add(() => thread.end())
  return threads
}
