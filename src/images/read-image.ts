// What a reader of a format finds: the size, and the image rebuilt.

export interface ReadImage {
  readonly width: number
  readonly height: number
  readonly content: Buffer
}
