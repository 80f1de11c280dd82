// In the widget: tells the page around it how high it is. Only that page is told, by the origin its script put into the address.

const target = decodeURIComponent(location.hash.slice(1))

const tell = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  parent.postMessage({ kind: 'minaret-widget', height }, target)
}

if (parent !== window && URL.canParse(target)) {
  new ResizeObserver(tell).observe(document.documentElement)
  tell()
}
