import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * The blocks that an installation may open: private use, carrier-grade NAT, unique local. Never loopback or link-local.
 */
const OPENABLE: readonly Network[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(
  (block) => ipaddr.parseCIDR(block),
);
/** Providers of clouds publish credentials of the machine here, inside the blocks above. */
const METADATA_SERVICES = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
);
const HOST_NAME = /^(?!localhost$)[a-z\d_]([a-z\d_-]*[a-z\d])?(\.[a-z\d_]([a-z\d_-]*[a-z\d])?)*$/;

const isInside = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

const isOpenable = (address: Address): boolean =>
  OPENABLE.some((block) => isInside(address, block)) && !METADATA_SERVICES.includes(address.toNormalizedString());

/** @throws RangeError with the entry, when it is not a network inside the private blocks */
function networkFrom(entry: string): Network {
  const network = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : null;
  const isPrivate = network && OPENABLE.some((block) => network[1] >= block[1] && isInside(network[0], block));
  if (!isPrivate) throw new RangeError(`${entry} is not a private network`);
  return network;
}

/** @throws RangeError with the entry, when it is neither a name nor a network */
function hostFrom(entry: string): string {
  if (ipaddr.isValid(entry) || !HOST_NAME.test(entry)) throw new RangeError(`${entry} is not the name of a host`);
  return entry;
}

/** The private hosts and networks that the operator of an installation opened for identity providers (SSO-06). */
export class PrivatePlaces {
  private constructor(
    private readonly hosts: ReadonlySet<string>,
    private readonly networks: readonly Network[],
  ) {}

  /**
   * @param setting the value of EGRESS_PRIVATE_ALLOW: names of hosts and networks (`10.4.0.0/16`), separated by commas
   * @throws RangeError for an entry that is neither, and for a network beyond the private blocks
   */
  static from(setting: string | undefined): PrivatePlaces {
    const entries = (setting ?? '')
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter(Boolean);
    return new PrivatePlaces(
      new Set(entries.filter((entry) => !entry.includes('/')).map(hostFrom)),
      entries.filter((entry) => entry.includes('/')).map(networkFrom),
    );
  }

  /** Whether the operator opened the host by its name. */
  names(hostname: string): boolean {
    return this.hosts.has(hostname);
  }

  /** Whether a name without a public suffix may be resolved at all. */
  admitsName(hostname: string): boolean {
    return this.hosts.has(hostname) || this.networks.length > 0;
  }

  /** Whether a connection to the host may lead to this address. */
  admits(hostname: string, address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    if (!isOpenable(parsed)) return false;
    return this.hosts.has(hostname) || this.networks.some((network) => isInside(parsed, network));
  }
}
