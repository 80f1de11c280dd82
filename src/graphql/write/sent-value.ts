// A column and the value sent for it → what is bound for it.
import type { Column } from '../../catalog/model.ts'
import { isArray, type ValueType } from '../../catalog/value-type.ts'
import { type Input, inputSource } from '../plan/input.ts'
import type { Value } from '../plan/plan.ts'
import type { SentValue } from './write-plan.ts'

const encodingOf = (type: ValueType): Pick<Value, 'encoding'> => {
  if (isArray(type)) return { encoding: 'array' }
  return type.family === 'composite' ? { encoding: 'record' } : {}
}

export const sentValue = (column: Column, input: Input): SentValue => ({
  column,
  value: { source: inputSource(input), type: column.type, ...encodingOf(column.type) },
})
