export interface BrokerAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
}

/**
 * Parses NATS_URL: one address, or several separated by commas. Credentials are removed from the address, because the
 * client takes the first digits after a colon for the port, and a password may begin with digits.
 */
export function brokerAddress(natsUrl: string): BrokerAddress {
  const [first, ...others] = natsUrl.split(',').map((address) => new URL(address.trim()));
  if (first === undefined) throw new Error('NATS_URL is empty');
  const servers = [first, ...others].map(({ host }) => host);
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  if (!user) return { servers };
  return pass ? { servers, user, pass } : { servers, token: user };
}
