export interface BrokerAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
}

/**
 * What the client needs of NATS_URL, one address or several parted by commas. The client must not see credentials in an
 * address: it takes the first digits behind a colon for the port, and a password may begin with digits.
 */
export function brokerAddress(natsUrl: string): BrokerAddress {
  const [first, ...others] = natsUrl.split(',').map((address) => new URL(address.trim()));
  if (first === undefined) throw new Error('NATS_URL is empty');
  const servers = [first, ...others].map(({ host }) => host);
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  if (!user) return { servers };
  return pass ? { servers, user, pass } : { servers, token: user };
}
