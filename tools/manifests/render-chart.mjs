import { parse as rendered } from '@evertdespiegeleer/go-template';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

// Renders the Helm chart by Go's own template engine, with values of one's own in JSON:
//   node tools/manifests/render-chart.mjs '{"host":"gatehouse.example.com"}'

const CHART = fileURLToPath(new URL('../../deploy/helm/gatehouse', import.meta.url));

/** As Helm lays given values over those of the chart. */
function merged(base, given) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(base) || !isMap(given)) return given;
  return Object.entries(given).reduce(
    (values, [key, value]) => ({ ...values, [key]: key in base ? merged(base[key], value) : value }),
    base,
  );
}

export function chartWith(given) {
  const Values = merged(parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')), given);
  const files = readdirSync(join(CHART, 'templates')).sort();
  // Those that begin with `_` come first, and define what the others use.
  const texts = files.map((file) => readFileSync(join(CHART, 'templates', file), 'utf8').trimEnd());
  return rendered(`${texts.join('\n')}\n`, { Values });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(await chartWith(JSON.parse(process.argv[2] ?? '{}')));
  process.exit(0);
}
