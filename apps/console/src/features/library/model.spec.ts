import { linesOf } from './queries.ts';

it.each([
  [' small \n\nlarge\r\n', ['small', 'large']],
  ['', []],
  [null, []],
])('reads the choices of %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});
