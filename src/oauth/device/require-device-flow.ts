// Lets only those apps through whose owner switched the device flow on, with a reviewer's approval.
import type { Client } from '../clients/client.ts'
import { unauthorizedClient } from '../oauth-fault.ts'

export const requireDeviceFlow = ({ deviceFlow }: Pick<Client, 'deviceFlow'>): void => {
  if (deviceFlow !== 'on') throw unauthorizedClient('The device flow is not switched on for this app.')
}
