import { readFileSync } from 'node:fs';
import { type Bucket, chartOf, isUsed, nextOf, OUTCOMES } from './model.ts';

describe('the days of a chart', () => {
  it('stand on each other as shares of the axis', () => {
    const { bars, ticks } = chartOf([bucket({ approved: 3, denied: 1 }), bucket({ pending: 2 }), bucket({})]);
    expect(ticks).toEqual([0, 1, 2, 3, 4]);
    expect(bars).toEqual([
      [
        { outcome: 'approved', from: 0, height: 0.75 },
        { outcome: 'denied', from: 0.75, height: 0.25 },
      ],
      [{ outcome: 'pending', from: 0, height: 0.5 }],
      [],
    ]);
    expect([isUsed(bucket({})), isUsed(bucket({ ignored: 1 }))]).toEqual([false, true]);
  });

  it.each([
    [0, [0, 1]],
    [5, [0, 1, 2, 3, 4, 5]],
    [6, [0, 2, 4, 6]],
    [23, [0, 5, 10, 15, 20, 25]],
    [980, [0, 200, 400, 600, 800, 1000]],
    [1_001, [0, 500, 1_000, 1_500]],
  ])('have an axis of round numbers that reaches %d', (most, ticks) => {
    expect(chartOf([bucket({ denied: most })]).ticks).toEqual(ticks);
  });
});

type Color = readonly [number, number, number];

const linear = (hex: string): Color => {
  const value = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  const one = (share: number): number => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  return [one(value(1)), one(value(3)), one(value(5))];
};
const through = (matrix: readonly Color[], color: Color): Color => {
  const row = (at: number): number =>
    (matrix[at] ?? []).reduce((sum, factor, of) => sum + factor * (color[of] ?? 0), 0);
  return [row(0), row(1), row(2)];
};

/** What eyes without one kind of cone see, in linear light (Machado, Oliveira and Fernandes, 2009). */
const EYES: Readonly<Record<string, readonly Color[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  'no green': [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
  'no blue': [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_9],
  ],
};
const TO_XYZ: readonly Color[] = [
  [0.433_95, 0.376_22, 0.189_83],
  [0.212_67, 0.715_15, 0.072_18],
  [0.017_75, 0.109_47, 0.872_78],
];

/** A colour in CIELAB, where distances are as eyes see them. */
function labOf(color: Color): Color {
  const curve = (value: number): number => (value > 0.008_856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const [x, y, z] = through(TO_XYZ, color).map((value) => curve(Math.max(0, value)));
  return [116 * (y ?? 0) - 16, 500 * ((x ?? 0) - (y ?? 0)), 200 * ((y ?? 0) - (z ?? 0))];
}
const luminance = ([red, green, blue]: Color): number => 0.212_67 * red + 0.715_15 * green + 0.072_18 * blue;

/** The colours of the outcomes, of a light or a dark page. */
function colorsOf(at: 0 | 1): readonly Color[] {
  const sheet = readFileSync(new URL('../../shell/shell.css', import.meta.url), 'utf8');
  return OUTCOMES.map((outcome) => {
    const both = [...sheet.matchAll(new RegExp(`--gh-${outcome}: (#\\w{6})`, 'g'))];
    return linear(both[at]?.[1] ?? '');
  });
}

describe.each([
  ['light', 0, '#ffffff'],
  ['dark', 1, '#242424'],
] as const)('the colours of a chart on a %s page', (_, at, page) => {
  it.each(Object.keys(EYES))('differ for eyes with %s cones', (eyes) => {
    const seen = colorsOf(at).map((color) => labOf(through(EYES[eyes] ?? [], color)));
    const gaps = seen.flatMap((one, index) =>
      seen.slice(index + 1).map((other) => Math.hypot(...one.map((v, i) => v - (other[i] ?? 0)))),
    );
    expect(Math.min(...gaps)).toBeGreaterThan(25);
  });

  it('stand out from the page', () => {
    const ground = luminance(linear(page));
    const contrast = (color: Color): number => {
      const [low = 0, high = 0] = [luminance(color), ground].toSorted((one, other) => one - other);
      return (high + 0.05) / (low + 0.05);
    };
    expect(Math.min(...colorsOf(at).map(contrast))).toBeGreaterThanOrEqual(3);
  });
});

it.each([
  [{ organization: false, site: false, key: false, device: false }, 'organization'],
  [{ site: true, key: true, device: true, prompt: true, rule: false }, 'rule'],
  [{ site: true, key: true }, null],
])('after %j the next step is %s', (progress, next) => expect(nextOf(progress)).toBe(next));

const NONE = { autoApproved: 0, approved: 0, denied: 0, expired: 0, ignored: 0, pending: 0 };
const bucket = (counts: Partial<Bucket>): Bucket => ({ from: '2026-11-23T00:00:00Z', ...NONE, ...counts });
