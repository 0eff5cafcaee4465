import { Metrics } from '@gatehouse/telemetry';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { metricsIn } from './promql.ts';
import { type KubernetesObject, titleOf } from './policy.ts';

const REPOSITORY = resolve(fileURLToPath(import.meta.url), '../../../..');
const read = (path: string): string => readFileSync(resolve(REPOSITORY, path), 'utf8');

const rules = parse(read('deploy/observability/alerts.yaml')) as {
  spec: { groups: { rules: (Alert & { readonly record?: string })[] }[] };
};
const all = rules.spec.groups.flatMap((group) => group.rules);
const alerts = all.filter(({ record }) => !record);
const { panels } = JSON.parse(read('deploy/observability/dashboard.json')) as { panels: Panel[] };

describe('the alerts', () => {
  it.each(alerts.map((alert) => [alert.alert, alert] as const))(
    '%s asks for metrics that exist, and names a runbook that knows it',
    (name, { expr, labels, annotations }) => {
      expect(metricsIn(expr)).not.toEqual([]);
      expect(metricsIn(expr).filter((metric) => !known.has(metric))).toEqual([]);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
      const page = /docs\/runbooks\/[\w-]+\.md$/.exec(new URL(annotations.runbook_url).pathname)?.[0] ?? '';
      expect(read(page)).toContain(`\`${name}\``);
    },
  );

  it('have names of their own', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});

describe('the dashboard', () => {
  it('asks for metrics that exist', () => {
    const unknown = charts.flatMap(({ title, targets = [] }) =>
      targets
        .flatMap(({ expr }) => metricsIn(expr))
        .filter((metric) => !known.has(metric))
        .map((metric) => `${title}: ${metric}`),
    );
    expect(unknown).toEqual([]);
    expect(
      charts.filter(
        ({ targets = [] }) => targets.length === 0 || targets.some(({ expr }) => metricsIn(expr).length === 0),
      ),
    ).toEqual([]);
  });

  it('shows every metric of the product', () => {
    const shown = new Set(charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))));
    expect(documented.filter((name) => !shown.has(name) && !/_seconds_(bucket|count|sum)$/.test(name))).toEqual([]);
  });

  const charts = panels.filter(({ type }) => type !== 'row');
});

interface Kustomization {
  readonly kind: string;
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files?: readonly string[] }[];
}

describe('the production overlay', () => {
  it('has its pods scraped, its rules loaded and its dashboard found', () => {
    const objects = resources.flatMap((file) =>
      parseAllDocuments(read(`deploy/observability/${file}`)).map((document) => document.toJS() as KubernetesObject),
    );
    expect(objects.map(titleOf)).toEqual(
      expect.arrayContaining(['PodMonitor/gatehouse', 'PrometheusRule/gatehouse', 'NetworkPolicy/traces']),
    );
    expect(configMapGenerator).toContainEqual(
      expect.objectContaining({ name: 'gatehouse-dashboard', files: ['gatehouse.json=dashboard.json'] }),
    );
    // An installation without the operator leaves it out.
    expect(kind).toBe('Component');
    expect(kustomization('deploy/k8s/overlays/production').components).toContain('../../../observability');
  });

  const kustomization = (folder: string): Kustomization => parse(read(`${folder}/kustomization.yaml`)) as Kustomization;
  const { kind, resources, configMapGenerator = [] } = kustomization('deploy/observability');
});

describe('the reader of expressions', () => {
  it('finds metrics, and neither functions, labels nor words of the language', () => {
    expect(
      metricsIn(
        'sum by (service, le) (rate(a_total{route!~".*x", b="c"}[5m])) / on (pod) group_left max(b_seconds) > 4 and c_up == 1',
      ),
    ).toEqual(['a_total', 'b_seconds', 'c_up']);
    expect(metricsIn('histogram_quantile(0.99, topk(3, x_bucket offset 5m)) unless vector(0)')).toEqual(['x_bucket']);
  });
});

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

/** Of Prometheus itself, of exporters, of kube-state-metrics, and of the verification of backups. */
const OF_OTHERS = [
  'up',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'kube_cronjob_created',
  'kube_cronjob_status_last_successful_time',
  'jetstream_stream_total_bytes',
  'jetstream_stream_limit_bytes',
  'pg_stat_activity_count',
  'pg_settings_max_connections',
  'gatehouse_backup_verified_timestamp_seconds',
  'gatehouse_backup_taken_timestamp_seconds',
  'gatehouse_backup_restore_seconds',
];
const documented = [...read('deploy/observability/README.md').matchAll(/^\| `(gatehouse_\w+)` \| (\w+)/gm)].flatMap(
  ([, name = '', type]) => (type === 'histogram' ? ['_bucket', '_count', '_sum'].map((part) => name + part) : [name]),
);
const known = new Set([
  ...documented,
  ...OF_OTHERS,
  ...all.flatMap(({ record = [] }) => record),
  ...new Metrics('any').registry.getMetricsAsArray().map(({ name }) => name),
]);
