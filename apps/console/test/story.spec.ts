import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createTranslator } from 'use-intl';

const CONTRACT = resolve(import.meta.dirname, '../../pam/openapi.json');
const WORDS = resolve(import.meta.dirname, '../src/words/en/requests.json');
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

describe('the story of a request', () => {
  it('has words for each event', () => {
    expect(events.filter((event) => !(event in messages))).toEqual([]);
    expect(events.length).toBeGreaterThan(10);
  });

  it('names the step of an escalation, and says the other events as they are', () => {
    expect(words('escalated', { step: 3 })).toBe('escalated, step 3');
    expect(words('denied', { step: '' })).toBe('denied');
  });

  const { enum: events } = (readJson(CONTRACT) as Contract).components.schemas.TimelineEntryRecord.properties.event;
  const { events: messages } = readJson(WORDS) as { readonly events: Readonly<Record<string, string>> };
  const words = createTranslator({ locale: 'en', messages }) as (event: string, values: object) => string;
});

interface Contract {
  readonly components: {
    readonly schemas: { readonly TimelineEntryRecord: { readonly properties: { readonly event: { enum: string[] } } } };
  };
}
