import { describe, expect, it } from '@jest/globals';
import { clientAddress, TrustedProxies } from './client-address.ts';

describe('clientAddress', () => {
  it.each([
    ['the peer, whatever it claims', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['the rightmost hop behind a trusted proxy', '10.0.0.1', '1.2.3.4, 198.51.100.7', '198.51.100.7'],
    ['the hop before every trusted proxy', '10.0.0.1', '1.2.3.4, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['the proxy itself when it names nobody', '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy itself when what it names is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the hop before a proxy of a trusted network', '10.42.7.9', '1.2.3.4, 198.51.100.7', '198.51.100.7'],
    ['the same for IPv6', 'fd12::9', '2001:db8::7', '2001:db8::7'],
    ['the peer beside a trusted network', '10.43.0.1', '1.2.3.4', '10.43.0.1'],
    ['an IPv4 address out of its IPv6 form', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ])('is %s', (_, peer, header, expected) => {
    expect(clientAddress(peer, header, proxies)).toBe(expected);
  });
});

describe('clientAddress behind a number of proxies', () => {
  it.each([
    ['the last hop behind one', '1', '1.2.3.4, 198.51.100.7', '198.51.100.7'],
    ['the last hop behind one, though it is private', '1', '1.2.3.4, 10.9.9.9', '10.9.9.9'],
    ['the hop before the last behind two', '2', '1.2.3.4, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['the only hop behind two', '2', '198.51.100.7', '198.51.100.7'],
    ['the peer without the header', '1', undefined, '10.8.0.3'],
    ['the peer when the last hop is no address', '1', '1.2.3.4, unknown', '10.8.0.3'],
    [
      'the hop before the network that is given too',
      '1, 10.0.0.0/8',
      '1.2.3.4, 198.51.100.7, 10.0.0.2',
      '198.51.100.7',
    ],
  ])('is %s', (_, setting, header, expected) => {
    expect(clientAddress('10.8.0.3', header, TrustedProxies.parse(setting))).toBe(expected);
  });
});

describe('TrustedProxies', () => {
  it.each(['0', '10', '-1', '1.5', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '/8'])(
    'names %s, which is neither an address, a network, nor a number of proxies',
    (entry) => {
      expect(() => TrustedProxies.parse(`10.0.0.1,${entry}`)).toThrow(entry);
    },
  );
});

const proxies = TrustedProxies.parse('10.0.0.1, 10.0.0.2,10.42.0.0/16, fd00::/8');
