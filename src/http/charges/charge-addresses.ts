// Charges requests without a credential to the budget of their network address, by what their route declares.
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { AddressBudget } from '../../base/address-budget.ts'
import { Fault } from '../../base/fault.ts'
import { type Charge, points, preflights } from './charge.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    charge?: Charge | undefined
  }
  interface FastifyRequest {
    /** Charges the address of whoever has no valid credential, once. @throws {Fault} `too_many_requests` */
    chargeStranger(): void
    isCharged: boolean
  }
}

/** As it was registered, with each of its methods. */
export interface DeclaredRoute {
  readonly method: string
  readonly url: string
  readonly charge: Charge
}

const NOT_FOUND = points(2)

/** Every route of a scope that declares nothing else; preflights are free. */
export const chargeRoutes = (scope: FastifyInstance, charge: Charge): void => {
  scope.addHook('onRoute', route => {
    route.config = { charge: route.method === 'OPTIONS' ? preflights : charge, ...route.config }
  })
}

/** Whoever is refused has no valid credential. @throws {Fault} `too_many_requests` in the place of 401, once the budget is spent */
export const chargingRefusal = async <T>(request: FastifyRequest, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault && error.status < 500) request.chargeStranger()
    throw error
  }
}

const declared = ({ method, url, config }: RouteOptions): DeclaredRoute[] =>
  [method].flat().map(one => {
    if (config?.charge === undefined)
      throw new Error(`${one} ${url} does not declare what it is charged: see src/http/charges/charge.ts.`)
    return { method: one, url, charge: config.charge }
  })

/** @returns the routes, once all are registered. @throws if one declares nothing. */
export const chargeAddresses = (server: FastifyInstance, budget: AddressBudget): (() => readonly DeclaredRoute[]) => {
  const routes: RouteOptions[] = []
  server.addHook('onRoute', route => void routes.push(route))
  server.decorateRequest('isCharged', false)
  server.decorateRequest('chargeStranger', function () {
    const charge = this.routeOptions.config?.charge ?? NOT_FOUND
    if (this.isCharged || charge.kind !== 'points') return
    this.isCharged = true
    budget.charge(this.clientAddress, charge.points)
  })
  // After all hooks that set headers, and before a body is read.
  server.addHook('preParsing', async request => {
    const charge = request.routeOptions.config?.charge ?? NOT_FOUND
    if (charge.kind === 'points' && charge.who === 'everybody') request.chargeStranger()
  })
  return () => routes.flatMap(declared)
}
