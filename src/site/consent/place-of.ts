// Where a browser goes back to → what people may know it by: the host, or the scheme of an app on a device.

export const placeOf = (redirectUri: string): string => {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}
