import { ValidateBy } from 'class-validator';
import { resolverFor } from './vetted-lookup.ts';

function areDnsServers(setting: unknown): boolean {
  try {
    return typeof setting === 'string' && resolverFor(setting).getServers().length > 0;
  } catch {
    return false;
  }
}

/**
 * Requires that a setting lists name servers as {@link resolverFor} takes them: by address, because no other server
 * resolves their names.
 */
export const DnsServers = (): PropertyDecorator =>
  ValidateBy(
    { name: 'dnsServers', validator: { validate: areDnsServers } },
    { message: 'must list addresses of name servers, such as 10.0.0.10:53' },
  );
