// Refusals of the rules for webhooks, worded for the person who made the request.
import { Fault } from '../base/fault.ts'

export const webhookRefused = (message: string): Fault => new Fault({ code: 'webhook_refused', status: 409, message })

export const webhookNotFound = (): Fault =>
  new Fault({ code: 'webhook_not_found', status: 404, message: 'There is no such endpoint or delivery.' })
