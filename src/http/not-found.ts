// The fault for a URL that does not exist.
import { Fault } from '../base/fault.ts'

export const notFound = (): Fault => new Fault({ code: 'not_found', status: 404, message: 'There is nothing here.' })
