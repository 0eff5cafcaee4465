import { describe, expect, it } from '@jest/globals';
import { riskTierOf, unreachableTier } from './risk-tier.ts';
import { parseToolCatalog, SHIPPED_TOOL_CATALOG } from './tool-catalog.ts';

describe('riskTierOf', () => {
  it.each([
    ['files', undefined, 2],
    ['FILES', 'read', 0],
    ['files', 'delete', 3],
    ['files', 'DELETE', 3],
    ['shell', 'read', 4],
    ['unheard_of', undefined, 4],
    ['constructor', undefined, 4],
  ])('gives %s/%s the tier %s', (tool, action, tier) => {
    expect(riskTierOf(catalog, tool, action)).toBe(tier);
  });
});

describe('ATK-10d an action that the catalogue does not define for the tool', () => {
  it.each([
    ['files', 'rename', 3],
    ['files', 'constructor', 3],
    ['files', 're\u200bad', 3],
    ['shell', 'read', 4],
  ])('%s/%s counts as the riskiest of its tool: %s', (tool, action, tier) => {
    expect(riskTierOf(catalog, tool, action)).toBe(tier);
  });

  it('never lowers the tier of any tool that ships', () => {
    for (const [name, { tier }] of Object.entries(SHIPPED_TOOL_CATALOG))
      expect(riskTierOf(SHIPPED_TOOL_CATALOG, name, 'look')).toBeGreaterThanOrEqual(tier);
  });
});

describe('unreachableTier', () => {
  it.each([
    ['a tier of the tool itself', { matchToolName: 'files', matchRiskTier: 2 }, null],
    ['a tier of one of its actions', { matchToolName: 'Files', matchRiskTier: 3 }, null],
    ['a tier that the tool never has', { matchToolName: 'files', matchRiskTier: 4 }, [0, 2, 3]],
    ['a tier without a tool that some tool has', { matchRiskTier: 3 }, null],
    ['a tier without a tool that no tool has', { matchRiskTier: 1 }, [0, 2, 3, 4]],
    ['an unrecognised tool', { matchToolName: 'unheard_of', matchRiskTier: 1 }, null],
    ['no tier', { matchToolName: 'files' }, null],
    ['every tool but one', { matchToolName: 'files', matchRiskTier: 3, matchNegate: ['toolName' as const] }, [4]],
    ['every tier but one', { matchToolName: 'files', matchRiskTier: 4, matchNegate: ['riskTier' as const] }, null],
    [
      'every tier but the only one',
      { matchToolName: 'shell', matchRiskTier: 4, matchNegate: ['riskTier' as const] },
      [4],
    ],
  ])('judges %s', (_, selector, expected) => {
    expect(unreachableTier(catalog, selector)).toEqual(expected);
  });
});

describe('the tool catalogue', () => {
  it('ships in a form that its own reader accepts', () => {
    expect(parseToolCatalog(JSON.stringify(SHIPPED_TOOL_CATALOG))).toEqual(SHIPPED_TOOL_CATALOG);
  });

  it.each([
    '[]',
    '{"a":{}}',
    '{"a":{"tier":5}}',
    '{"a":{"tier":1,"actions":{"x":-1}}}',
    '{"a":{"tier":1,"actions":[]}}',
  ])('refuses %s', (json) => {
    expect(() => parseToolCatalog(json)).toThrow(/tool/);
  });
});

const catalog = parseToolCatalog('{"Files":{"tier":2,"actions":{"read":0,"Delete":3}},"shell":{"tier":4}}');
