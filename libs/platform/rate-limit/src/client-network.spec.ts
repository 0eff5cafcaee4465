import { describe, expect, it } from '@jest/globals';
import { clientNetwork } from './rate-limiter.ts';

describe('the network that a client has to itself', () => {
  it.each([
    ['an IPv4 address', '203.0.113.9', '203.0.113.9'],
    ['the first half of an IPv6 address', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2::/64'],
    ['the same for another of its addresses', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['the same however it is written', '2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['zeros that the address leaves out', '2001:db8::1', '2001:db8:0:0::/64'],
    ['zeros in front', '::1', '0:0:0:0::/64'],
    ['without a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['the IPv4 address in an IPv6 one', '::ffff:203.0.113.9', '203.0.113.9'],
    ['the same in hexadecimal', '::FFFF:cb00:7109', '203.0.113.9'],
    ['what is no address, as it is', 'unknown', 'unknown'],
  ])('is %s', (_, address, expected) => {
    expect(clientNetwork(address)).toBe(expected);
  });

  it('is another for the neighbour', () => {
    expect(clientNetwork('2001:db8:1:3::1')).not.toBe(clientNetwork('2001:db8:1:2::1'));
  });
});
