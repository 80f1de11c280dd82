// Where hijri dates are asked for.
export const DAYS_PATH = '/v1/hijri'
export const NEXT_PATH = '/v1/hijri/next'
export const AUTHORITIES_PATH = '/v1/hijri/authorities'
