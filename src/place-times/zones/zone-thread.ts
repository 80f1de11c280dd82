// The thread that finds time zones: borders are read from disk and decoded, which takes up to thirty milliseconds for a new place.
import { serveTasks } from '../../threads/serve-tasks.ts'
import { findZone } from './find-zone.ts'

const tasks = { find: findZone }

export type ZoneTasks = typeof tasks

serveTasks(tasks)
