import { changedValues, type Field, filledValues } from './fields.ts';
import { followersOf, slugOf } from './form-dialog.tsx';

describe('a short name for addresses', () => {
  it.each([
    ['Contoso', 'contoso'],
    ['  Müller & Co. (Nord) ', 'muller-co-nord'],
    ['Crédit—Agricole', 'credit-agricole'],
    ['株式会社', ''],
    [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
  ])('made from %j is %j', (name, slug) => expect(slugOf(name)).toBe(slug));
});

describe('a field that follows another one', () => {
  it('is made from it with each of its changes', () => {
    expect(followersOf(fields, { name: 'A' }, { name: '' })).toEqual({ slug: 'a' });
    expect(followersOf(fields, { name: 'A b', slug: 'a' }, { name: 'A', slug: 'a' })).toEqual({ slug: 'a-b' });
  });

  it('stays once it was typed, and while another field changes', () => {
    expect(followersOf(fields, { name: 'A b', slug: 'mine' }, { name: 'A', slug: 'mine' })).toEqual({});
    expect(followersOf(fields, { name: 'A', slug: 'a', note: 'x' }, { name: 'A', slug: 'a', note: '' })).toEqual({});
  });

  const fields: readonly Field[] = [
    { name: 'name', label: 'Name' },
    { name: 'slug', label: 'Short name', follows: 'name' },
    { name: 'note', label: 'Note' },
  ];
});

describe('the values of a form', () => {
  it('that changed are sent, an emptied text as null', () => {
    const before = { name: 'A', note: 'x', days: 3 };
    expect(changedValues(before, { name: 'A', note: '', days: 4 })).toEqual({ note: null, days: 4 });
  });

  it('that were filled in are sent', () => {
    expect(filledValues({ name: 'A', note: '', days: null, isOn: false })).toEqual({ name: 'A', isOn: false });
  });
});
