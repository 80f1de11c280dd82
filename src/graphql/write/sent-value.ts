// A column and the value sent for it → what is bound for it.
import type { Column } from '../../catalog/model.ts'
import { type Input, inputSource } from '../plan/input.ts'
import type { SentValue } from './write-plan.ts'

export const sentValue = (column: Column, input: Input): SentValue => ({
  column,
  value: {
    source: inputSource(input),
    type: column.type,
    ...(column.type.family === 'composite' ? { encoding: 'record' as const } : {}),
  },
})
