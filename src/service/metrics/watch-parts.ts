// The parts of the service → added to what is collected. Whatever has figures of its own is added here.
import type { Parts } from '../parts.ts'
import { createBuildFamilies } from './build-families.ts'
import { pageFamilies, poolFamilies, turnFamilies } from './part-families.ts'
import { createSampledFigures } from './sampled-figures.ts'

export const watchParts = ({ watching, config, database, background, provider, build, pages }: Parts): void => {
  if (config.observability.metricsPort === undefined) return
  watching.add(createBuildFamilies(build))
  watching.add(() => [...poolFamilies('requests', database), ...poolFamilies('jobs', background)])
  watching.add(() => pageFamilies(pages.kept))
  watching.add(() => turnFamilies('token', provider.token.turns))
  watching.add(createSampledFigures(background))
}
