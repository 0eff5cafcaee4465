import { parse as rendered } from '@evertdespiegeleer/go-template';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

// Renders the Helm chart by Go's own template engine, with values of one's own in JSON:
//   node tools/manifests/render-chart.mjs '{"host":"gatehouse.example.com"}'

const CHART = join(import.meta.dirname ?? '', '../../deploy/helm/gatehouse');

/** As Helm lays given values over those of the chart. */
function merged(base, given) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(base) || !isMap(given)) return given;
  return Object.entries(given).reduce(
    (values, [key, value]) => ({ ...values, [key]: key in base ? merged(base[key], value) : value }),
    base,
  );
}

const given = JSON.parse(process.argv[2] ?? '{}');
const Values = merged(parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')), given);
const read = (file) => readFileSync(join(CHART, 'templates', file), 'utf8');
const files = readdirSync(join(CHART, 'templates')).sort();
const helpers = files.filter((file) => file.startsWith('_')).map(read);
for (const file of files.filter((name) => !name.startsWith('_')))
  process.stdout.write(`${await rendered(helpers.join('') + read(file), { Values })}\n`);
process.exit(0);
