import { describe, expect, it } from '@jest/globals';
import { commonTo, faultOf, type Sections, tableOf, without, withSections } from './routes.ts';
import { commentsIn } from './settings.ts';

describe('the doc comments of settings', () => {
  it('belong to the property below them, whatever decorators stand between', () => {
    const source = `
export class Config {
  /** The first,
   * in two lines. */
  @IsOptional()
  @IsUrl(
    { require_tld: false },
    { message: 'must be a URL' },
  )
  one?: string;

  @IsString() bare!: string;

  /** The second. */
  @Min(0)
  get two(): number {
    return 2;
  }
}`;
    expect([...commentsIn(source)]).toEqual([
      ['one', 'The first, in two lines.'],
      ['two', 'The second.'],
    ]);
  });
});

describe('a README', () => {
  const written = '# x\n\n## What it does\n\n## Data\n\n## Folders\n';

  it('keeps what is written by hand, and gets its tables anew', () => {
    const once = withSections(written, sections);
    expect(once).toContain(`${written}\n<!-- Made by`);
    expect(once).toMatch(/## Routes\n\nr\n\n## Events\n\ne\n\n## Settings\n\ns\n\n## Metrics\n\nm\n$/);
    expect(withSections(once, { ...sections, Events: 'other' })).toBe(once.replace('\ne\n', '\nother\n'));
  });

  it.each([
    ['the sections of the template', written, null],
    ['one more', `${written}\n## More\n`, 'More'],
    ['another order', '## Data\n## What it does\n## Folders\n', 'they are Data'],
  ])('with %s is judged', (_, readme, fault) => {
    if (fault === null) expect(faultOf(readme)).toBeNull();
    else expect(faultOf(readme)).toContain(fault);
  });

  const sections: Sections = { Routes: 'r', Events: 'e', Settings: 's', Metrics: 'm' };
});

describe('a table', () => {
  it('escapes what would end a cell, and says when it has no rows', () => {
    expect(tableOf(['a', 'b'], [['x|y', 'two\nlines']], 'None.')).toBe(
      '| a | b |\n| --- | --- |\n| x\\|y | two lines |',
    );
    expect(tableOf(['a'], [], 'None.')).toBe('None.');
  });
});

describe('metrics', () => {
  it('are told apart into common and own ones', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(metric) as [ReturnType<typeof metric>, ...ReturnType<typeof metric>[]];
    expect(
      commonTo([
        [a, b!],
        [a, c!],
      ]),
    ).toEqual([a]);
    expect(without([a, b!], [a])).toEqual([b]);
  });

  const metric = (name: string) => ({ name, help: '', type: 'gauge' });
});
