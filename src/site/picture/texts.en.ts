// English: what became of an image that somebody chose.

export const image = {
  states: { waiting: 'being fetched', fetched: 'shown', refused: 'cannot be shown' },
  waiting: 'We are fetching the image. A drawn one stands in for it until then.',
  fetched: 'We have fetched the image and show it.',
  triedAgain: 'We try again a few times within half an hour.',
  reasons: {
    not_https: '{address} is not an https address. Give one that begins with https://.',
    port: '{address} names a port. Give an address without one.',
    no_host: '{address} has a number in place of a host name. Give an address with a name.',
    host_not_found: 'The host of {address} was not found. Check the address.',
    not_public: 'The host of {address} is not on the public internet. Use one that everybody can reach.',
    unreachable: 'The host of {address} could not be reached over https. Check that the image opens in a browser.',
    too_slow: 'The host of {address} took longer than 10 seconds. Use a faster one or a smaller image.',
    redirect: '{address} redirects elsewhere. Give the address of the image itself.',
    status: '{address} answered with status {status}. Check that the image opens in a browser without signing in.',
    too_many_bytes: 'The image at {address} is larger than 512 KB. Use a smaller one.',
    not_an_image: 'What is at {address} is not a PNG, JPEG or WebP image. Save the image in one of these formats.',
    broken: 'The image at {address} is broken. Save it again in an image editor.',
    animated: 'The image at {address} is animated. Use a still one.',
    too_many_pixels: 'The image at {address} is larger than 1024 by 1024 pixels. Make it smaller.',
  },
  next: {
    save: 'After that, save the form again or give another address.',
    newAddress: 'The app is approved, so the image needs a new address: request the change.',
  },
}
