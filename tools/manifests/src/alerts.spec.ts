import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const OBSERVABILITY = join(import.meta.dirname, '../../../deploy/observability');
const read = (file: string): unknown => parse(readFileSync(join(OBSERVABILITY, file), 'utf8'));
const { spec } = read('alerts.yaml') as { spec: { groups: { rules: Rule[] }[] } };
const rules = spec.groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert);
const cases = read('alerts.test.yaml') as Readonly<Record<string, Case[]>>;

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write(
    'SKIPPED: promtool (of the package prometheus) is not on the PATH, so the alerts are not tried\n',
  );

/** The alert without annotations, whose text promtool would compare too, and the rules that it builds on. */
const rulesOf = ({ annotations: _, ...alert }: Rule): object => ({
  groups: [{ name: 'rules', rules: [...rules.filter(({ record }) => record && alert.expr.includes(record)), alert] }],
});

/** The cases of one alert. The rule is looked at as often as the series have values. */
const suiteOf = ({ alert = '', labels: own }: Rule): object => ({
  rule_files: [`${alert}.rules.yaml`],
  evaluation_interval: `${cases[alert]?.[0]?.every ?? 1}m`,
  tests: (cases[alert] ?? []).map(({ at, every = 1, series, rings }) => ({
    interval: `${every}m`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values: String(values) })),
    alert_rule_test: [
      {
        eval_time: `${at}m`,
        alertname: alert,
        exp_alerts: rings.map((labels) => ({ exp_labels: { ...labels, ...own } })),
      },
    ],
  })),
});

describe('the alerts', () => {
  it('are all tried, each when it rings and when it is silent', () => {
    const tried = Object.entries(cases).map(([alert, own]) => [
      alert,
      own.some(({ rings }) => rings.length > 0),
      own.some(({ rings }) => rings.length === 0),
    ]);
    expect(tried).toEqual(alerts.map(({ alert }) => [alert, true, true]));
  });

  it.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))(
    '%s says in its summary what it has a label for',
    (alert, { annotations }) => {
      const named = [...(annotations?.summary ?? '').matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
      const ringing = (cases[alert] ?? []).flatMap(({ rings }) => rings);
      for (const labels of ringing) expect(Object.keys(labels)).toEqual(expect.arrayContaining(named));
    },
  );

  const withPromtool = hasPromtool ? it : it.skip;
  withPromtool('are rules that Prometheus reads', () => {
    expect(promtool({ 'rules.yaml': spec }, 'check', 'rules', 'rules.yaml')).toBe('');
  });

  withPromtool('each ring when they should, and are silent when they should be', () => {
    const suites = Object.fromEntries(alerts.map((rule) => [`${rule.alert ?? ''}.test.yaml`, suiteOf(rule)]));
    const own = Object.fromEntries(alerts.map((rule) => [`${rule.alert ?? ''}.rules.yaml`, rulesOf(rule)]));
    // One run of promtool for all: its start is what takes time.
    expect(promtool({ ...own, ...suites }, 'test', 'rules', ...Object.keys(suites))).toBe('');
  });
});

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string };
}
interface Case {
  readonly at: number;
  readonly every?: number;
  readonly series: Readonly<Record<string, string>>;
  readonly rings: readonly Readonly<Record<string, string>>[];
}

/** What promtool says of files that it gets in a folder of their own; empty when it is content. */
function promtool(files: Readonly<Record<string, unknown>>, ...command: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-alerts-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), stringify(content));
    const { status, stdout, stderr } = spawnSync('promtool', command, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
