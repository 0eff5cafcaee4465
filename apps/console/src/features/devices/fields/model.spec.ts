import { describe, expect, it } from '@jest/globals';
import { changesOf, textsOf } from './field-form.tsx';
import type { FieldValue } from '../queries.ts';

describe('values of custom fields', () => {
  it('begin as texts; a date shows its day', () => {
    expect(textsOf(values)).toEqual({ owner: 'Kim', age: '3', leased: 'true', size: '', bought: '2024-05-01' });
  });

  it('are sent only where they were changed', () => expect(changesOf(values, textsOf(values))).toEqual({}));

  it.each([
    ['owner', '', null],
    ['owner', ' Ole ', ' Ole '],
    ['age', '2,5', 2.5],
    ['age', 'many', 'many'],
    ['leased', 'false', false],
    ['leased', '', null],
    ['size', 'large', 'large'],
    ['bought', '2025-01-31', '2025-01-31'],
  ])('%s: %j is sent as %j', (key, text, sent) => {
    expect(changesOf(values, { ...textsOf(values), [key]: text })).toEqual({ [key]: sent });
  });
});

const field = (fieldKey: string, type: FieldValue['type'], value: FieldValue['value']): FieldValue => ({
  fieldId: fieldKey,
  fieldKey,
  name: fieldKey,
  type,
  value,
});

const values = [
  field('owner', 'text', 'Kim'),
  field('age', 'number', 3),
  field('leased', 'boolean', true),
  field('size', 'dropdown', null),
  field('bought', 'date', '2024-05-01T00:00:00Z'),
];
