import { AREAS, COLUMNS, lacking, RIGHTS, rightAt, rightsByArea } from './rights.ts';

describe('rights', () => {
  it('stand at one place of the matrix each', () => {
    const shown = AREAS.flatMap((area) => COLUMNS.map((column) => rightAt(area, column))).filter(Boolean);
    expect(shown.toSorted()).toEqual(RIGHTS.toSorted());
  });

  it('are shown by area', () => {
    expect(rightsByArea(['devices:read', 'users:read', 'devices:write'])).toEqual([
      ['devices', ['devices:read', 'devices:write']],
      ['users', ['users:read']],
    ]);
    expect(rightsByArea(['*']).map(([area]) => area)).toEqual(AREAS);
  });

  it('are granted only by those who hold them', () => {
    expect(lacking(['users:read', 'users:write'], ['users:read', 'devices:read', '*'])).toEqual(['devices:read', '*']);
    expect(lacking(['*'], ['devices:read', '*'])).toEqual([]);
  });
});
