import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ChoiceList } from './fields.ts';
import { ListInQuery, Search, Sort, sortOrderOf } from './queries.ts';

describe('a list in a query', () => {
  it.each([
    [{ status: 'a' }, ['a']],
    [{ status: 'a,b' }, ['a', 'b']],
    [{ status: ['a', 'b,c'] }, ['a', 'b', 'c']],
    [{}, undefined],
  ])('reads %j', (query, status) => {
    expect(read(query)).toMatchObject({ status });
  });

  it.each([{ status: 'd' }, { status: '' }, { status: 'a,a,a,a' }, { status: [{ a: 1 }] }])('refuses %j', (query) => {
    expect(read(query)).toBe('invalid');
  });
});

describe('the text of a search', () => {
  it.each([
    [' a b ', ' a b '],
    ['', undefined],
    [' \t\u00a0', undefined],
  ])('reads %j', (text, search) => {
    expect(read({ search: text })).toMatchObject({ search });
  });

  it.each(['a'.repeat(256), ['a', ''], { a: '' }])('refuses %j', (search) => {
    expect(read({ search })).toBe('invalid');
  });
});

describe('the order of a list', () => {
  it.each([
    ['name', { field: 'name', descending: false }],
    ['-createdAt', { field: 'createdAt', descending: true }],
    [undefined, null],
  ])('reads %s', (sort, order) => {
    expect(sortOrderOf(sort)).toEqual(order);
  });

  it.each(['id', '--name', '-', 'NAME', ['name', '-name']])('refuses %j', (sort) => {
    expect(read({ sort })).toBe('invalid');
  });
});

class Query {
  @ListInQuery()
  @ChoiceList(['a', 'b', 'c'], { optional: true, maxItems: 3 })
  status?: string[];
  @Sort(['name', 'createdAt']) sort?: string;
  @Search() search?: string;
}

const read = (query: object): Query | 'invalid' => {
  const instance = plainToInstance(Query, query);
  return validateSync(instance).length > 0 ? 'invalid' : instance;
};
