// A server on loopback that speaks TLS as logo.test and other.test, with a certificate that only tests trust.
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxRqAuPoBOxuETqmT
7Z0g68r3idxwa8AkC5tuWAqeKIyhRANCAAT54PUIBmnKEIGQSvTSWpR6ievzB5KL
Punp3HU0FPkUuA1+gMSCPGGP2PHM7a73rPn5HKflKs+4tt3gWl/o0Lde
-----END PRIVATE KEY-----
`

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUH+LM6I+EorLRV9AdIOkEwttwCiQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9nby50ZXN0MCAXDTI2MTExNjA2NTIzMloYDzIxMjYxMDIz
MDY1MjMyWjAUMRIwEAYDVQQDDAlsb2dvLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT54PUIBmnKEIGQSvTSWpR6ievzB5KLPunp3HU0FPkUuA1+gMSCPGGP
2PHM7a73rPn5HKflKs+4tt3gWl/o0Ldeo3UwczAdBgNVHQ4EFgQUFhwv4cywbrqv
6tr80ojN5It6swMwHwYDVR0jBBgwFoAUFhwv4cywbrqv6tr80ojN5It6swMwDwYD
VR0TAQH/BAUwAwEB/zAgBgNVHREEGTAXgglsb2dvLnRlc3SCCm90aGVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIgD+wFzkKXRvZHXbY7USN3LKmhUuJXYPbBOTBiAK7I
ZkICIQCoKdR9b5GdtKyiOYHcMAhljPt6SvgL5cTEdYE35GdBDQ==
-----END CERTIFICATE-----
`

export interface TlsServer {
  readonly port: number
  close(): Promise<void>
}

export const openTlsServer = async (answer: RequestListener): Promise<TlsServer> => {
  const server = createServer({ key, cert: certificate }, answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
