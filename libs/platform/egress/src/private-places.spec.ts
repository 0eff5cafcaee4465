import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FakeDns, startFakeDns } from '@gatehouse/testing';
import { allowancesFrom, Egress, EgressError, PrivatePlaces } from './index.ts';

const SETTING = ' adfs.corp.example, 10.4.0.0/16 ,FD12:3456::/32';

describe('private places that an installation opens', () => {
  it.each([
    ['adfs.corp.example', '10.9.0.1', true],
    ['adfs.corp.example', '192.168.4.4', true],
    ['adfs.corp.example', '::ffff:10.9.0.1', true],
    ['other.corp.example', '10.4.200.1', true],
    ['other.corp.example', 'fd12:3456::1', true],
    ['other.corp.example', '10.5.0.1', false],
    ['sub.adfs.corp.example', '10.9.0.1', false],
    ['adfs.corp.example', '127.0.0.1', false],
    ['adfs.corp.example', '::1', false],
    ['adfs.corp.example', '0.0.0.0', false],
    ['adfs.corp.example', '169.254.169.254', false],
    ['adfs.corp.example', 'fe80::1', false],
    ['adfs.corp.example', 'fd00:ec2::254', false],
    ['adfs.corp.example', '100.100.100.200', false],
    ['adfs.corp.example', '::ffff:100.100.100.200', false],
    ['adfs.corp.example', '64:ff9b::a00:1', false],
    ['adfs.corp.example', 'no address', false],
  ])('%s at %s: %s', (hostname, address, isAdmitted) => expect(places.admits(hostname, address)).toBe(isAdmitted));

  it('are none by default', () => {
    const none = PrivatePlaces.from(undefined);
    expect(none.admits('adfs.corp.example', '10.4.0.1')).toBe(false);
    expect(none.admitsName('adfs.corp.local')).toBe(false);
  });

  it.each([
    '0.0.0.0/0',
    '10.0.0.0/7',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '8.8.8.0/24',
    '::/0',
    '10.0.0.1/99',
    '10.0.0.1',
    'localhost',
    'https://adfs.corp.example',
    'adfs.corp.example:443',
    '*.corp.example',
  ])('cannot be %s', (entry) => expect(() => PrivatePlaces.from(entry)).toThrow(RangeError));

  const places = PrivatePlaces.from(SETTING);
});

describe('the egress of an installation that opened private places', () => {
  let dns: FakeDns;
  let egress: Egress;
  let hasty: Egress;
  beforeAll(async () => {
    dns = await startFakeDns({
      'adfs.corp.example': { A: ['10.9.0.1'] },
      'adfs.corp.local': { A: ['10.4.0.1'] },
      'rebound.corp.example': { A: ['10.4.0.1', '127.0.0.1'] },
      'elsewhere.corp.example': { A: ['10.5.0.1'] },
      'a.localhost': { A: ['10.4.0.1'] },
    });
    const allowances = allowancesFrom(undefined, false, PrivatePlaces.from(SETTING));
    egress = new Egress({ allowances, dnsServers: dns.address, timeoutMs: 30_000 });
    hasty = new Egress({ allowances, dnsServers: dns.address, timeoutMs: 300 });
  });
  afterAll(() => Promise.all([egress.close(), hasty.close(), dns.stop()]));

  it.each(['https://adfs.corp.example/', 'https://adfs.corp.local/adfs'])('reaches out to %s', async (address) => {
    expect(await faultOf(egress.vet(address))).toBe('none');
    // No host answers there; the request was sent all the same.
    expect(await faultOf(hasty.fetch(address, { compartment: 'provider' }))).toMatch(/timeout|unreachable/);
  });

  it.each([
    'http://adfs.corp.example/',
    'https://rebound.corp.example/',
    'https://elsewhere.corp.example/',
    'https://10.4.0.1/',
    'https://a.localhost/',
    'https://localhost/',
  ])('refuses %s', async (address) => {
    expect(await faultOf(egress.vet(address))).toBe('address_refused');
    expect(await faultOf(egress.fetch(address, { compartment: 'provider' }))).toBe('address_refused');
  });

  const faultOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof EgressError ? error.fault : String(error)),
    );
});
