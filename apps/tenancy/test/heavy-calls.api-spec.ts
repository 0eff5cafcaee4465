import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { ImportContacts } from '../src/contacts/import/import-contacts.ts';
import { ContactImportService } from '../src/contacts/import/contact-import.service.ts';
import { FieldImportService } from '../src/definitions/field-import/field-import.service.ts';
import { ImportValues, ValueImportService } from '../src/definitions/value-import/value-import.service.ts';
import { ScriptImportService } from '../src/definitions/scripts.service.ts';
import { ImportFields } from '../src/definitions/field-import/import-fields.ts';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

const ROUTES = [
  ['/orgs/contacts/import/preview', [ContactImportService, 'preview'], { rows: [{ name: 'Ann' }] }],
  ['/orgs/contacts/import', [ImportContacts, 'import'], { rows: [{ name: 'Ann' }] }],
  [
    '/custom-fields/import/preview',
    [FieldImportService, 'preview'],
    { rows: [{ name: 'Rack', fieldKey: 'rack', type: 'text', ownerScope: 'partner' }] },
  ],
  [
    '/custom-fields/import',
    [ImportFields, 'import'],
    { rows: [{ name: 'Rack', fieldKey: 'rack', type: 'text', ownerScope: 'partner' }] },
  ],
  [
    '/devices/custom-fields/import/preview',
    [ValueImportService, 'preview'],
    { rows: [{ hostname: 'pc-1', values: { rack: 'A' } }] },
  ],
  ['/devices/custom-fields/import', [ImportValues, 'import'], { rows: [{ hostname: 'pc-1', values: { rack: 'A' } }] }],
  [
    '/scripts/import',
    [ScriptImportService, 'importScripts'],
    { scripts: [{ name: 'Clean up', language: 'bash', content: 'true', availability: 'partner' }] },
  ],
] as const;

let tenancy: Tenancy;
besideTenancy((started) => (tenancy = started));
afterEach(() => void jest.restoreAllMocks());

describe('imports', () => {
  it.each(ROUTES)(
    'CAP-04 of one caller are under way in a bounded number, whatever the sessions and whether or not a client waits for them: POST %s',
    async (path, operation, body) => {
      const { id: partnerId } = await tenancy.partner({ status: 'active' });
      const ann = aPartnerAdmin(partnerId);
      const post = (principal = ann) => tenancy.as(principal).post(path).send(body);
      const work = held(operation);
      const first = Array.from({ length: MAX - 1 }, () => post().then(({ status }) => status));
      const { url, headers } = await tenancy.service.addressFor({ ...ann, sessionId: newId() }, path);
      const leaving = new AbortController();
      const left = fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: leaving.signal,
      }).catch(() => 'left');
      while (work.begun() < MAX) await wait(10);
      leaving.abort();
      expect(await left).toBe('left');
      const refused = await post({ ...ann, sessionId: newId() });
      expect([refused.body.code, refused.status, refused.headers['retry-after'], work.begun()]).toEqual([
        'rate_limited',
        429,
        '2',
        MAX,
      ]);
      const other = post(aPartnerAdmin(partnerId)).then(({ status }) => status);
      while (work.begun() < MAX + 1) await wait(10);
      const patient = post().then(({ status }) => status);
      await wait(300);
      work.letGo();
      expect(await Promise.all([...first, patient, other])).toEqual(Array(MAX + 1).fill(200));
      expect(work.begun()).toBe(MAX + 2);
    },
  );
});

/** Of heavy calls, as shipped. */
const MAX = 4;
type Operation = readonly [service: { prototype: object }, method: string];

/** Holds the operation back, as a large batch would, and then does it. */
function held([service, method]: Operation): { begun: () => number; letGo: () => void } {
  const real = Reflect.get(service.prototype, method) as (...input: unknown[]) => Promise<unknown>;
  let letGo = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (letGo = resolve));
  const spy = jest
    .spyOn(service.prototype as Record<string, () => Promise<unknown>>, method)
    .mockImplementation(async function (this: unknown, ...input: unknown[]) {
      await waiting;
      return real.apply(this, input);
    });
  return { begun: () => spy.mock.calls.length, letGo };
}
