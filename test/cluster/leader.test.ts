// The leader of the reference cluster is handed over, cut off from etcd, and killed, under load.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepers, ports } from '../../scripts/cluster/hosts.ts'
import { switchOver } from '../../scripts/cluster/patroni.ts'
import { describeOutcome, onlyInLongRuns, useCluster } from './use-cluster.ts'

/** After the promotion, as on a machine that has nothing else to do. */
const SERVES_MS = 5000
const HANDED_OVER_MS = 2000

describe('the leader', { skip: onlyInLongRuns }, () => {
  const use = useCluster()

  test('is switched over on purpose: within two seconds, no read fails', async t => {
    const outcome = await use.endure({
      strike: async leader =>
        assert.match(await switchOver(host => use.cluster.portOf(host, ports.patroni), leader), /^200/),
      mend: async () => undefined,
    })
    describeOutcome(t, outcome)
    assert.ok(outcome.idleMs < SERVES_MS)
    const reads = outcome.refused.filter(what => what.startsWith('read'))
    // Reads wait for so long; a machine that is busy with something else may take longer to hand over.
    if (outcome.withoutWritesMs < HANDED_OVER_MS) assert.deepEqual(reads, [])
  })

  test('is cut off from etcd, but not from clients: it gives up before another one is elected', async t => {
    const outcome = await use.endure({
      strike: leader => use.cluster.cut([leader], keepers),
      mend: () => use.cluster.heal(),
    })
    describeOutcome(t, outcome)
    assert.ok(outcome.idleMs < SERVES_MS)
  })

  test('is killed, with Patroni: another one goes on with everything that was acknowledged', async t => {
    const outcome = await use.endure({
      strike: leader => use.cluster.signal(leader, 'KILL'),
      mend: leader => use.cluster.startDatabase(leader),
    })
    describeOutcome(t, outcome)
    assert.ok(outcome.idleMs < SERVES_MS)
  })
})
