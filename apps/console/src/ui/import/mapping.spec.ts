import { cellsOf, guessMapping } from './mapping.ts';

describe('guessMapping', () => {
  it('knows columns by member, label and alias, whatever their spelling', () => {
    expect(guessMapping(['E-Mail', 'Phone', 'FULL_NAME'], TARGETS)).toEqual({ name: 2, email: 0 });
  });

  it('leaves out what has no column', () => {
    expect(guessMapping(['x'], TARGETS)).toEqual({});
  });
});

describe('cellsOf', () => {
  it('names the cells and drops empty ones', () => {
    expect(cellsOf(['', 'Kim'], { email: 0, name: 1, phone: 7 })).toEqual({ name: 'Kim' });
  });
});

const TARGETS = [
  { name: 'name', label: 'Name', aliases: ['full name'] },
  { name: 'email', label: 'E-mail' },
];
