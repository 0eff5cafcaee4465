import { describe, expect, it } from '@jest/globals';
import { checkRoles, hasIdentifier, normaliseContact } from './contact-import.ts';
import { faultyExitCode, fieldKeyOf, readImported, storedValue } from './definitions.ts';
import { mergePlan } from './merge-plan.ts';
import { faultyBusinessDay, mergeSettings, organizationOrder } from './hierarchy.ts';

describe('contacts', () => {
  it('have at least one identifier that is not blank', () => {
    expect([{}, { name: ' ' }, { name: null, email: '' }].map(hasIdentifier)).toEqual([false, false, false]);
    expect([{ name: 'a' }, { email: 'a' }, { phone: '1' }, { mobile: '1' }].map(hasIdentifier)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('keep e-mail in lower case, blank as absent, and omitted members out', () => {
    expect(normaliseContact({ email: ' A@X ', name: ' ' })).toEqual({ email: 'a@x', name: null });
    expect(normaliseContact({ phone: null })).toEqual({ phone: null });
    expect(normaliseContact({ name: '\t=1+1 ', mobile: ' 1' })).toEqual({ name: '=1+1', mobile: '1' });
    expect(normaliseContact({ name: '\u200b', title: ' ', notes: ' \n' })).toEqual({
      name: null,
      title: null,
      notes: null,
    });
  });

  it('know their roles, each once', () => {
    expect(checkRoles(['billing', 'billing', 'site'])).toEqual({ roles: ['billing', 'site'] });
    expect(checkRoles(['billing', 'king'])).toEqual({ unknown: 'king' });
  });
});

describe("the partner's order of organisations", () => {
  it.each([
    [[], ['a', 'b']],
    [['b'], ['b', 'a']],
    [
      ['x', 'b', 'b', 'A'],
      ['b', 'a'],
    ],
  ])('of %j is %j', (wanted, order) => {
    expect(organizationOrder(wanted, ['a', 'b'])).toEqual(order);
  });
});

describe('partner settings', () => {
  it('merge member by member and touch nothing that is not given', () => {
    expect(
      mergeSettings(
        { timezone: 'UTC', contact: { name: 'A', phone: '1' } },
        { contact: { phone: '2', email: undefined }, language: 'en' },
      ),
    ).toEqual({ timezone: 'UTC', contact: { name: 'A', phone: '2' }, language: 'en' });
  });

  it('lose what an update has as null', () => {
    const current = { timezone: 'UTC', contact: { name: 'A', phone: '1' } };
    const update = { timezone: null, contact: { phone: null }, businessHours: { preset: null } };
    expect(mergeSettings(current, update)).toEqual({ contact: { name: 'A' }, businessHours: {} });
    expect(mergeSettings(current, { contact: null })).toEqual({ timezone: 'UTC' });
  });

  it('take weekdays with times only', () => {
    expect(
      faultyBusinessDay({
        monday: { start: '09:00', end: '17:30' },
        sun: { start: '00:00', end: '00:00', closed: true },
      }),
    ).toBeNull();
    expect(
      [
        { monday: null },
        { monday: { start: '24:00', end: '1:00' } },
        { holiday: { start: '09:00', end: '10:00' } },
        { tue: { start: '09:00', end: '10:00', closed: 'no' } },
      ].map(faultyBusinessDay),
    ).toEqual(['monday', 'monday', 'holiday', 'tue']);
  });
});

describe('merge plans', () => {
  it.each([
    [10, 'ok'],
    [11, 'too_large'],
  ])('of %d rows under a limit of 10 are %s', (rows, verdict) => {
    expect(mergePlan({ ...facts, tables: devices(rows) })).toMatchObject({ totalMovableRows: rows, verdict });
  });

  it('are blocked by a frozen survivor, a merge under way, another partner, and a cap on devices', () => {
    const verdicts = [
      { survivor: { ...facts.survivor, status: 'archived' as const } },
      { source: { ...facts.source, status: 'merging' as const } },
      { samePartner: false },
      { survivor: { ...facts.survivor, maxDevices: 3 } },
    ].map((fact) => mergePlan({ ...facts, tables: devices(3), ...fact }).verdict);
    expect(verdicts).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
    expect(
      mergePlan({
        ...facts,
        tables: devices(9),
        source: { ...facts.source, devices: 2 },
        survivor: { ...facts.survivor, maxDevices: 3 },
      }).verdict,
    ).toBe('ok');
  });

  it('are blocked by what a service has against them', () => {
    expect(
      mergePlan({ ...facts, tables: devices(1), remarks: { blockers: ['No.'], warnings: ['Mind.'] } }),
    ).toMatchObject({ verdict: 'blocked', blockers: ['No.'], warnings: ['Mind.'] });
  });

  it('warn of what is dropped', () => {
    expect(mergePlan({ ...facts, tables: devices(1, 2) }).warnings).toEqual([
      '2 records cannot move and will be deleted, as listed by kind.',
    ]);
  });

  const facts = {
    source: { id: 'a', status: 'active' as const, devices: 3 },
    survivor: { id: 'b', status: 'active' as const, maxDevices: null, devices: 1 },
    samePartner: true,
    maxRows: 10,
    remarks: { blockers: [], warnings: [] },
  };
  const devices = (move: number, drop = 0) => [{ service: 'tenancy', table: 'devices', policy: 'move', move, drop }];
});

describe('custom fields', () => {
  it.each([
    ['text', 'a', true],
    ['text', 1, false],
    ['number', 1.5, true],
    ['number', '1', false],
    ['number', Infinity, false],
    ['boolean', false, true],
    ['boolean', 'false', false],
    ['dropdown', 'a', true],
    ['dropdown', 'b', false],
    ['date', '2026-02-28', true],
    ['date', '2026-02-30', false],
  ] as const)('of type %s hold %j: %s', (type, value, fits) => {
    expect(storedValue({ type, options: ['a'] }, value) !== null).toBe(fits);
  });

  it.each([
    ['number', '7', 7],
    ['number', '', null],
    ['number', 'x', null],
    ['boolean', 'Yes', true],
    ['boolean', 'maybe', null],
    ['text', ' a ', ' a '],
  ] as const)('of type %s read the imported %j as %j', (type, raw, value) => {
    expect(readImported({ type, options: [] }, raw)).toBe(value);
  });

  it.each([
    ['Asset Tag #', 'asset_tag'],
    ['Größe', 'gro_e'],
    ['1st', 'field_1st'],
    ['Адрес 1', 'field_430434440435441_1'],
    ['???', 'field'],
  ])('named %s get the key %s', (name, key) => {
    expect(fieldKeyOf(name)).toBe(key);
  });
});

describe('exit codes', () => {
  it('have severities, except 0, which means success, and no second spelling', () => {
    expect(
      [{ 1: 'low', '-1': 'critical' }, { 0: 'low' }, { 1: 'fatal' }, { a: 'low' }, { 1: 'low', '01': 'high' }].map(
        faultyExitCode,
      ),
    ).toEqual([null, '0', '1', 'a', '01']);
  });
});
