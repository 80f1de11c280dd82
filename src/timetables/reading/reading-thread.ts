// The thread that reads what people send.
import { serveTasks } from '../../threads/serve-tasks.ts'
import { readingTasks } from './reading-tasks.ts'

serveTasks(readingTasks)
