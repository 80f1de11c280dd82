// The thread that compares the rules for high latitudes: a year of each is more than a request may take of the thread that serves.
import { serveTasks } from '../../threads/serve-tasks.ts'
import { compareRules } from './compare-rules.ts'

const tasks = { compare: compareRules }

export type ComparingTasks = typeof tasks

serveTasks(tasks)
