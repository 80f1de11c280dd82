// <script src="https://…/widget.js" data-masjid="larkspur-lane" async></script> → a frame with the masjid's times, in its place.
// Works under a strict policy that names only the service: script-src and frame-src. Sets no cookies, loads nothing else.
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement)) return
  const { masjid = '', theme = '', accent = '', lang = '', clock = '', title = '' } = script.dataset
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(masjid)) {
    console.error('Minaret widget: data-masjid is missing or is not the name in the address of the masjid’s page.')
    return
  }
  const service = new URL(script.src).origin
  const asked = Object.entries({ theme, accent, lang, clock }).filter(([, value]) => value !== '')
  const frame = document.createElement('iframe')
  frame.src = `${service}/m/${masjid}/widget?${new URLSearchParams(asked)}#${encodeURIComponent(location.origin)}`
  frame.title = title || 'Prayer times'
  frame.loading = 'lazy'
  frame.referrerPolicy = 'no-referrer'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox')
  frame.width = '100%'
  frame.height = '420'
  frame.style.border = '0'
  addEventListener('message', event => {
    if (event.origin !== service || event.source !== frame.contentWindow) return
    const { kind, height } = event.data ?? {}
    if (kind === 'minaret-widget' && Number.isFinite(height) && height > 0)
      frame.height = String(Math.min(2000, Math.ceil(height)))
  })
  script.after(frame)
})()
