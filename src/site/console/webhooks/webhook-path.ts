// The addresses of an app's webhook pages.
import { appPath } from '../app-frame.ts'

export const webhooksPath = (appId: string, rest = ''): string => appPath(appId, `webhooks${rest}`)

export const endpointPath = (appId: string, endpointId: string, rest = ''): string =>
  webhooksPath(appId, `/${endpointId}${rest}`)
