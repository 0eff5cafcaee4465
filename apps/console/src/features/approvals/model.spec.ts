import fc from 'fast-check';
import type { ElevationRequest } from '../../ui/elevation/request.ts';
import { afterDeciding, afterReading, EMPTY, endingOf, identicalRows, SETTLED_STAYS_MS, withArrived } from './model.ts';

describe('the queue of approvals', () => {
  it('shows what waits when it is opened', () => {
    expect(idsOf(afterReading(EMPTY, list('b', 'a'), 0).rows)).toEqual(['b', 'a']);
  });

  it('gathers new requests apart, so that no row moves', () => {
    const queue = afterReading(afterReading(EMPTY, list('a'), 0), list('c', 'b', 'a'), 1);
    expect(idsOf(queue.rows)).toEqual(['a']);
    expect(idsOf(withArrived(queue).rows)).toEqual(['c', 'b', 'a']);
  });

  it('greys a settled row in its place and drops it after five seconds', () => {
    const opened = afterReading(EMPTY, list('a', 'b'), 0);
    const settled = afterReading(opened, list('b'), 1000);
    expect(settled.rows.map(({ settledAt }) => settledAt)).toEqual([1000, null]);
    expect(idsOf(afterReading(settled, list('b'), 1000 + SETTLED_STAYS_MS).rows)).toEqual(['b']);
  });

  it('takes no row for settled that the newest page has no room for', () => {
    const opened = afterReading(EMPTY, list('c', 'b', 'a'), 0);
    const crowded = afterReading(opened, list('e', 'd', 'c'), 1000, { first: true, last: false });
    expect(crowded.rows.map(({ settledAt }) => settledAt)).toEqual([null, null, null]);
    const between = afterReading(opened, list('e', 'd', 'a'), 1000, { first: true, last: false });
    expect(between.rows.map(({ settledAt }) => settledAt)).toEqual([1000, 1000, null]);
  });

  it('takes no row for settled that may have moved to the page before', () => {
    const second = afterReading(EMPTY, list('c', 'b', 'a'), 0, { first: false, last: true });
    const after = afterReading(second, list('b'), 1000, { first: false, last: true });
    expect(after.rows.map(({ settledAt }) => settledAt)).toEqual([null, null, 1000]);
  });

  it('keeps the moment at which a request was decided here', () => {
    const decided = afterDeciding(afterReading(EMPTY, list('a'), 0), 'a', 5);
    expect(afterReading(decided, [], 9).rows[0]?.settledAt).toBe(5);
  });

  it('ends with what the server has, in whatever order lists were read', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(fc.array(ids), ids, (readings, last) => {
        const before = readings.reduce((queue, one, at) => afterReading(queue, list(...one), at), EMPTY);
        const late = readings.length + SETTLED_STAYS_MS;
        const after = withArrived(afterReading(afterReading(before, list(...last), late), list(...last), late * 2));
        expect(idsOf(after.rows).sort()).toEqual([...last].sort());
      }),
    );
  });
});

describe('identical requests', () => {
  const FILE = {
    orgId: 'acme',
    flowType: 'uac_intercept',
    targetExecutablePath: String.raw`C:\Temp\setup.exe`,
    targetExecutableHash: 'ab',
    targetExecutableSigner: 'Contoso',
    commandLine: null,
    commandLineLength: null,
    pamRuleId: null,
    matchedPolicyName: null,
  } as const;
  const NO_HASH = { ...FILE, targetExecutableHash: null };
  const TOOL = {
    orgId: 'acme',
    flowType: 'ai_tool_action',
    toolName: 'registry',
    action: 'write',
    actionDigest: 'cd',
  } as const;

  it('of one file stand together in the place of the first, and others keep their places', () => {
    const other = { ...FILE, targetExecutableHash: 'ef' };
    const moved = { ...FILE, targetExecutablePath: String.raw`D:\setup (1).exe` };
    expect(groupsOf(other, FILE, TOOL, moved, FILE)).toEqual(['r0', 'r1 r3 r4', 'r2']);
  });

  it.each<[string, Members, Members]>([
    ['another organisation', FILE, { ...FILE, orgId: 'globex' }],
    ['another kind', FILE, { ...FILE, flowType: 'tech_jit_admin' }],
    ['a hash where the other has none', FILE, NO_HASH],
    ['another folder, without a hash', NO_HASH, { ...NO_HASH, targetExecutablePath: String.raw`D:\setup.exe` }],
    ['another signer, without a hash', NO_HASH, { ...NO_HASH, targetExecutableSigner: null }],
    ['another rule', FILE, { ...FILE, pamRuleId: 'rule' }],
    ['another software policy', FILE, { ...FILE, matchedPolicyName: 'Tools' }],
    ['another command line', FILE, { ...FILE, commandLine: 'setup.exe /all', commandLineLength: 14 }],
    ['a hidden command line of another length', FILE, { ...FILE, commandLineLength: 14 }],
    ['another input of the tool', TOOL, { ...TOOL, actionDigest: 'ef' }],
    ['another action of the tool', TOOL, { ...TOOL, action: 'delete' }],
    ['a tool whose input is not known', { ...TOOL, actionDigest: undefined }, { ...TOOL, actionDigest: undefined }],
    ["a technician's own rights", { flowType: 'tech_jit_admin' }, { flowType: 'tech_jit_admin' }],
  ])('with %s stand alone', (_, one, another) => {
    expect(groupsOf(one, another)).toEqual(['r0', 'r1']);
  });

  it('without a hash are told by path, in any letter case, and signer; tool actions by their input', () => {
    const upper = { ...NO_HASH, targetExecutablePath: NO_HASH.targetExecutablePath.toUpperCase() };
    expect(groupsOf(NO_HASH, upper, TOOL, TOOL)).toEqual(['r0 r1', 'r2 r3']);
  });

  it('are all there once, in whatever order they come', () => {
    const kinds: Members[] = [FILE, NO_HASH, TOOL, { flowType: 'tech_jit_admin' }];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds)), (all) => {
        const ids = groupsOf(...all).flatMap((group) => group.split(' '));
        expect(ids.toSorted()).toEqual(all.map((_, at) => `r${at}`).toSorted());
      }),
    );
  });

  type Members = Partial<ElevationRequest>;
  const groupsOf = (...all: Members[]) =>
    identicalRows(all.map((one, at) => ({ request: { ...request(`r${at}`), ...one }, settledAt: null }))).map((rows) =>
      idsOf(rows).join(' '),
    );
});

describe('how a request ended', () => {
  it('tells who granted it, for how long and when', () => {
    const granted = { ...unnamed, status: 'approved', approvedByName: 'Jonas', durationMinutes: 15 } as const;
    expect(endingOf({ ...granted, decidedAt, endedAt: null })).toEqual({
      name: 'Jonas',
      minutes: 15,
      at: decidedAt,
      reason: null,
    });
  });

  it('tells who denied or ended it, and no minutes', () => {
    const denied = { ...unnamed, status: 'denied', deniedByName: 'Kim', durationMinutes: 30 } as const;
    expect(endingOf({ ...denied, decidedAt, endedAt })).toEqual({ name: 'Kim', minutes: 0, at: endedAt, reason: null });
    const revoked = { ...unnamed, status: 'revoked', approvedByName: 'Jonas', revokedByName: 'Kim' } as const;
    expect(endingOf({ ...revoked, decidedAt, endedAt }).name).toBe('Kim');
  });

  it('names no person where its time ran out', () => {
    const expired = { ...unnamed, status: 'expired', decidedAt: null, endedAt } as const;
    expect(endingOf(expired)).toEqual({ name: null, minutes: 0, at: endedAt, reason: null });
  });

  it('tells the reason of the decision, and of a revocation its own', () => {
    const reasons = { ...unnamed, decisionReason: 'known tool', revokeReason: 'left the company', decidedAt, endedAt };
    expect(endingOf({ ...reasons, status: 'denied' }).reason).toBe('known tool');
    expect(endingOf({ ...reasons, status: 'revoked' }).reason).toBe('left the company');
  });

  const unnamed = {
    approvedByName: null,
    deniedByName: null,
    revokedByName: null,
    durationMinutes: null,
    decisionReason: null,
    revokeReason: null,
  };
  const [decidedAt, endedAt] = ['2026-11-24T10:00:00.000Z', '2026-11-24T10:05:00.000Z'];
});

const request = (id: string) => ({ id, flags: [] }) as Partial<ElevationRequest> as ElevationRequest;
const idsOf = (rows: readonly { readonly request: ElevationRequest }[]) => rows.map((row) => row.request.id);
const list = (...ids: string[]) => ids.map(request);
