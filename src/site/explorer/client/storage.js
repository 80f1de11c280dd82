// What GraphiQL keeps: its layout in the browser, everything else in the memory of this page. Its own history would keep headers.

const LASTING = /(Flex|visiblePlugin|theme)$/

export const createStorage = () => {
  const memory = new Map()
  return {
    getItem: name => (LASTING.test(name) ? localStorage.getItem(name) : (memory.get(name) ?? null)),
    setItem: (name, value) => {
      if (LASTING.test(name)) localStorage.setItem(name, value)
      else memory.set(name, value)
    },
    removeItem: name => {
      if (LASTING.test(name)) localStorage.removeItem(name)
      else memory.delete(name)
    },
    clear: () => memory.clear(),
    get length() {
      return memory.size
    },
  }
}
