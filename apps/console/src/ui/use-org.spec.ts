import { documentTitle } from './use-org.tsx';

it('a title names the thing, its organisation once, and the product', () => {
  expect(documentTitle('Rules', 'Northwind')).toBe('Rules · Northwind · Gatehouse');
  expect(documentTitle('Contacts · Northwind', 'Northwind')).toBe('Contacts · Northwind · Gatehouse');
  expect(documentTitle('Overview', undefined)).toBe('Overview · Gatehouse');
});
