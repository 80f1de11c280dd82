// A table → the names of the mutations that write it, for documentation.
import type { Table } from './model.ts'
import { mutationsOf } from './taken-names.ts'

export const mutationNamesOf = ({ name, writing, softDelete }: Table): string[] => {
  const may: Readonly<Record<string, boolean | undefined>> = {
    insert: writing?.insert,
    update: writing?.update,
    delete: writing?.delete,
    restore: writing?.delete && softDelete !== undefined,
  }
  return mutationsOf(name).filter(mutation => may[mutation.slice(0, mutation.indexOf('_'))] === true)
}
