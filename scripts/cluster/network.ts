// The hosts → the commands that connect them, and those that cut them off from each other.
import { addresses, gateway, type Host, hosts } from './hosts.ts'

const connectHost = (host: Host): string => `
ip netns add ${host}
ip link add ${host} type veth peer name eth0 netns ${host}
ip link set ${host} master hosts up
ip -n ${host} link set lo up
ip -n ${host} address add ${addresses[host]}/24 dev eth0
ip -n ${host} link set eth0 up`

/** Runs once, in namespaces of its own. What crosses the bridge passes the chain that cuts. */
export const connectHosts = `
mount -t tmpfs -o mode=755 none /run
ip link set lo up
ip link add hosts type bridge
ip address add ${gateway}/24 dev hosts
ip link set hosts up
nft 'add table bridge cuts'
nft 'add chain bridge cuts forward { type filter hook forward priority 0; }'
${hosts.map(connectHost).join('\n')}
`

const drop = (from: Host, to: Host): string =>
  `nft 'add rule bridge cuts forward ip saddr ${addresses[from]} ip daddr ${addresses[to]} drop'`

/** Between each of the ones and each of the others, both ways. */
export const cutBetween = (ones: readonly Host[], others: readonly Host[]): string =>
  ones.flatMap(one => others.flatMap(other => [drop(one, other), drop(other, one)])).join('\n')

export const healAll = 'nft flush chain bridge cuts forward'
