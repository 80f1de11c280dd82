// The slots of a statement and the variables of a request → the rows to calculate for it, and what the request costs with them.
import { GraphQLError } from 'graphql'
import { Fault } from '../../base/fault.ts'
import type { Slot } from '../compile/writer.ts'
import { plainValue, type VariableValues } from '../encode-value.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from '../limits/limits.ts'
import type { From, Plan } from '../plan/plan.ts'
import type { CalculatedRows, Calculation, Calculations, Reading } from './calculation.ts'

type Asked = From & { readonly kind: 'calculated' }

const none: readonly CalculatedRows[] = []

const isCalculated = (slot: Slot): slot is Slot & { kind: 'calculated' } => slot.kind === 'calculated'

const refuse = ({ path }: Asked, code: GraphqlErrorCode, message: string): GraphQLError =>
  new GraphQLError(message, { path, extensions: { code } })

const asRefusal = (asked: Asked, error: unknown): unknown =>
  error instanceof Fault && error.code === 'bad_request' ? refuse(asked, 'bad-value', error.message) : error

const givenTo = ({ arguments: all }: Asked, variables: VariableValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(all.map(({ argument, value }) => [argument.name, plainValue(value.source, variables)]))

const readQuestion = (calculation: Calculation, asked: Asked, variables: VariableValues): unknown => {
  try {
    return calculation.read(givenTo(asked, variables))
  } catch (error) {
    throw asRefusal(asked, error)
  }
}

export const readCalculated = (
  slots: readonly Slot[],
  variables: VariableValues,
  calculations: Calculations,
): readonly CalculatedRows[] => {
  if (!slots.some(isCalculated)) return none
  return slots.flatMap((slot, place) => {
    if (!isCalculated(slot)) return []
    const calculation = calculations.get(slot.from.function)
    if (calculation === undefined) throw new Error(`nothing calculates ${slot.from.function}`)
    const question = readQuestion(calculation, slot.from, variables)
    const cost = calculation.costOf(question)
    const wanted = { schema: slot.from.table.schema, columns: slot.columns }
    const write = (reading: Reading): Promise<string> =>
      calculation.writeRows(reading, question, wanted).catch(error => {
        throw asRefusal(slot.from, error)
      })
    return [{ slot: place, cost, write }]
  })
}

/** @throws GraphQLError `too-costly` */
export const costWith = (plan: Plan, calculated: readonly CalculatedRows[]): number => {
  const cost = calculated.reduce((sum, one) => sum + one.cost, plan.cost)
  if (calculated.length === 0 || cost <= limits.cost) return cost
  throw new GraphQLError(
    `What this operation has calculated costs as much as reading ${cost} rows; the maximum is ${limits.cost}. Ask for less at once.`,
    { extensions: { code: 'too-costly' satisfies GraphqlErrorCode, cost: { rows: cost, maximum: limits.cost } } },
  )
}
