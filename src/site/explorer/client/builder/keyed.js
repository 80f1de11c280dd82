// Elements by key: what is drawn again keeps its elements, and with them the focus and what somebody is typing.

export const createKeyed = () => {
  const kept = new Map()
  return (key, create) => {
    if (!kept.has(key)) kept.set(key, create())
    return kept.get(key)
  }
}

/** The element contains exactly these, in this order; those that are in place are not touched. */
export const place = (parent, children) => {
  for (const child of [...parent.childNodes]) if (!children.includes(child)) child.remove()
  children.forEach((child, index) => {
    if (parent.childNodes[index] !== child) parent.insertBefore(child, parent.childNodes[index] ?? null)
  })
  return parent
}
