export interface BrokerAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Present: the client gives up on a server that offers no TLS. */
  readonly tls?: { readonly caFile?: string };
}

/**
 * Parses NATS_URL: one address, or several separated by commas. Credentials are removed from the address, because the
 * client takes the first digits after a colon for the port, and a password may begin with digits.
 * @param caFile the authority that must have signed the server's certificate; turns TLS on, as `tls://` does
 */
export function brokerAddress(natsUrl: string, caFile?: string): BrokerAddress {
  const [first, ...others] = natsUrl.split(',').map((address) => new URL(address.trim()));
  if (first === undefined) throw new Error('NATS_URL is empty');
  const servers = [first, ...others].map(({ host }) => host);
  const isEncrypted = caFile !== undefined || first.protocol === 'tls:';
  return { servers, ...loginIn(first), ...(isEncrypted && { tls: { caFile } }) };
}

function loginIn(first: URL): Omit<BrokerAddress, 'servers'> {
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)];
  if (!user) return {};
  return pass ? { user, pass } : { token: user };
}
