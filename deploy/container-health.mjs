// The image's health check: exits with 0 if the process in the container is alive.
const port = process.env.PORT ?? '3000'

try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2500) })
  process.exit(ok ? 0 : 1)
} catch {
  process.exit(1)
}
