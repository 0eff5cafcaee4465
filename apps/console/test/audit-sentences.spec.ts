import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

describe('sentences of the audit log', () => {
  it('are there for each action', () => {
    const sentences = JSON.parse(readFileSync(WORDS, 'utf8')) as Readonly<Record<string, string>>;
    const actions = [...readFileSync(LIST, 'utf8').matchAll(ACTION)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(100);
    const { request: _partOfOthers, actors: _whoActed, ...ofActions } = sentences;
    expect(Object.keys(ofActions).toSorted()).toEqual(actions.map((one) => one.replaceAll('.', '_')).toSorted());
  });
});

const LIST = resolve(import.meta.dirname, '../../../libs/contracts/core/src/audit/audit-actions.ts');
const WORDS = resolve(import.meta.dirname, '../src/words/en/auditActs.json');
const ACTION = /^ {2}'?([a-z][a-z._]*)'?: '/gm;
