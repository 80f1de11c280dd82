// A column and the value sent for it → what is bound for it.
import type { Column } from '../../catalog/model.ts'
import { type Input, inputSource } from '../plan/input.ts'
import type { SentValue } from './write-plan.ts'

export const sentValue = (column: Column, input: Input): SentValue => {
  const { type } = column
  const value = { source: inputSource(input), type }
  return {
    column,
    value: type.family === 'composite' ? { ...value, encoding: 'record' } : value,
  }
}
