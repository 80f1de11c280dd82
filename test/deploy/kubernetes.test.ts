// The Kubernetes manifests agree with each other and with the service: settings, ports, probes, time to drain.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { STOP_MS } from '../../src/commands/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import { instructions } from './dockerfile.ts'
import { configOf, readDeployed, root, unknownSettings } from './settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents of many kinds, each checked by what is expected of it
const read = (name: string): any => parse(readDeployed(`kubernetes/${name}.yaml`))

const deployment = read('deployment')
const pod = deployment.spec.template.spec
const [container] = pod.containers
const settings = read('settings').data as Record<string, string>
const environment: Record<string, string> = {
  ...settings,
  ...Object.fromEntries(container.env.map(({ name, value }: { name: string; value: string }) => [name, value])),
}

test('every manifest is listed, and its kind is one that clusters know', () => {
  const files = readdirSync(`${root}deploy/kubernetes`).filter(name => name !== 'kustomization.yaml')
  assert.deepEqual([...read('kustomization').resources].sort(), files.sort())
  const kinds = files.map(name => {
    const { apiVersion, kind } = read(name.replace('.yaml', ''))
    return `${apiVersion} ${kind}`
  })
  assert.deepEqual(kinds.sort(), [
    'apps/v1 Deployment',
    'autoscaling/v2 HorizontalPodAutoscaler',
    'networking.k8s.io/v1 Ingress',
    'networking.k8s.io/v1 NetworkPolicy',
    'policy/v1 PodDisruptionBudget',
    'v1 ConfigMap',
    'v1 Namespace',
    'v1 Service',
  ])
})

test('the settings are known and valid, and the secrets are mounted where they say', () => {
  assert.deepEqual(unknownSettings(environment), [])
  assert.equal(configOf(environment).mode, 'production')
  const mount = container.volumeMounts.find(({ name }: { name: string }) => name === 'secrets').mountPath
  const keys = [...readDeployed('kubernetes/kustomization.yaml').matchAll(/--from-literal=([\w-]+)=/g)].map(
    ([, key]) => `${mount}/${key}`,
  )
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
  assert.deepEqual(files.map(([, path]) => path).sort(), keys.sort())
})

test('a container that ended by itself, or no longer answers, is started again', () => {
  assert.ok([undefined, 'Always'].includes(pod.restartPolicy))
  assert.equal(container.livenessProbe.httpGet.path, '/healthz')
})

test('ports are those of the service, from container to ingress', () => {
  const { port, sandboxPort } = readConfig({})
  const ports = Object.fromEntries(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort]),
  )
  assert.equal(ports.service, port)
  assert.equal(ports.sandbox, sandboxPort)
  assert.equal(ports.metrics, configOf(environment).observability.metricsPort)
  assert.equal(deployment.spec.template.metadata.annotations['prometheus.io/port'], String(ports.metrics))
  const service = read('service').spec
  for (const { name, targetPort } of service.ports) assert.ok(name in ports && targetPort in ports)
  const { rules, tls } = read('ingress').spec
  const hosts = [settings.BASE_URL, settings.SANDBOX_URL].map(url => new URL(String(url)).hostname)
  assert.deepEqual(
    rules.map(({ host }: { host: string }) => host),
    hosts,
  )
  assert.deepEqual(tls[0].hosts, hosts)
  for (const { http } of rules)
    assert.ok(
      service.ports.some(({ name }: { name: string }) => name === http.paths[0].backend.service.port.name),
      'the ingress leads to the service',
    )
  for (const { ports: opened } of read('network-policy').spec.ingress)
    for (const { port: name } of opened) assert.ok(name in ports, name)
})

test('selectors find the pods', () => {
  const labels = deployment.spec.template.metadata.labels
  const selectors = [
    deployment.spec.selector.matchLabels,
    read('service').spec.selector,
    read('disruption-budget').spec.selector.matchLabels,
    read('network-policy').spec.podSelector.matchLabels,
    pod.topologySpreadConstraints[0].labelSelector.matchLabels,
  ]
  for (const selector of selectors)
    for (const [name, value] of Object.entries(selector)) assert.equal(labels[name], value)
  assert.equal(read('autoscaler').spec.scaleTargetRef.name, deployment.metadata.name)
})

test('the autoscaler goes by a metric that the service has', async () => {
  const [rule] = parse(readDeployed('prometheus-adapter.yaml')).rules.custom
  const [, pods] = read('autoscaler').spec.metrics
  assert.equal(pods.pods.metric.name, rule.name.as)
  const [series = ''] = rule.seriesQuery.split('{')
  assert.ok(readDeployed('../src/metrics/request-meter.ts').includes(`'${series.replace(/_count$/, '')}'`), series)
})

test('probes: alive by /healthz, ready by /readyz, noticed well before the drain is over', () => {
  assert.equal(container.startupProbe.httpGet.path, '/healthz')
  assert.equal(container.livenessProbe.httpGet.path, '/healthz')
  assert.equal(container.readinessProbe.httpGet.path, '/readyz')
  const { periodSeconds, timeoutSeconds, failureThreshold } = container.readinessProbe
  const { drainSeconds } = configOf(environment)
  assert.ok((periodSeconds + timeoutSeconds) * failureThreshold < drainSeconds)
})

test('a pod has time to drain and to finish, and an update takes none away first', () => {
  const { drainSeconds } = configOf(environment)
  assert.ok(pod.terminationGracePeriodSeconds >= 2 * drainSeconds + STOP_MS / 1000)
  assert.deepEqual(deployment.spec.strategy, {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
  })
})

test('a pod is not root, has a read-only root and no rights, as the image expects', () => {
  const user = instructions(readDeployed('Dockerfile')).find(({ name }) => name === 'USER')?.text
  assert.equal(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`, user)
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  assert.equal(pod.automountServiceAccountToken, false)
})
