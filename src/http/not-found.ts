// An address that leads nowhere → the fault that says so.
import { Fault } from '../base/fault.ts'

export const notFound = (): Fault => new Fault({ code: 'not_found', status: 404, message: 'There is nothing here.' })
