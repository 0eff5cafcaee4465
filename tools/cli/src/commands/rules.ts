import { type Gatehouse, ok } from '@gatehouse/client';
import {
  type Command,
  flag,
  optional,
  type Options,
  plain,
  required,
  table,
  textOption,
  wholeNumber,
} from '../command.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { explainRequest } from './explanations.ts';
import { readText, writeText } from '../files.ts';
import { type Change, lineOf, plan } from '../rules/plan.ts';
import { awaited, changesOf, linesOf } from '../rules/replay.ts';
import { fromYaml, type ListedRule, type Owner, toYaml } from '../rules/rules-file.ts';

const DEFAULT_DAYS = 30;
const MAX_NAME = 255;
const OWNER_OPTIONS = { org: textOption, partner: flag, 'partner-id': textOption };

/** @throws UsageError unless one of organisation and partner is named; an operator names the partner by its id */
function ownerOf(options: Options): Owner {
  const orgId = optional(options, 'org');
  const partnerId = optional(options, 'partner-id');
  const isPartner = options['partner'] === true || partnerId !== undefined;
  if (!isPartner && orgId === undefined) throw new UsageError('--org or --partner is missing');
  if (isPartner && orgId !== undefined) throw new UsageError('--org and --partner cannot be combined');
  return { orgId, partnerId };
}

async function rulesOf(gatehouse: Gatehouse, owner: Owner): Promise<ListedRule[]> {
  const query =
    owner.orgId === undefined ? { scope: 'partner' as const, partnerId: owner.partnerId } : { orgId: owner.orgId };
  const { rules } = await ok(gatehouse.GET('/pam/rules', { params: { query } }));
  return rules;
}

const exportRules: Command = {
  name: 'rules export',
  does: "exports an organisation's or the partner's rules as YAML",
  options: { ...OWNER_OPTIONS, file: textOption },
  run: async ({ gatehouse }, _, options) => {
    const owner = ownerOf(options);
    const rules = await rulesOf(gatehouse, owner);
    const file = optional(options, 'file');
    if (file === undefined) return { json: { rules }, text: toYaml(owner, rules).trimEnd() };
    writeText(file, toYaml(owner, rules));
    return { json: { file, rules: rules.length }, text: `${rules.length} rules in ${file}` };
  },
};

async function perform(gatehouse: Gatehouse, owner: Owner, change: Change): Promise<void> {
  const { orgId, partnerId } = owner;
  const query = orgId === undefined ? {} : { orgId };
  if (change.kind === 'create') {
    const { id: _, ...rule } = change.rule;
    const body = { ...rule, ...(orgId === undefined && { ownerScope: 'partner' as const, partnerId }) };
    await ok(gatehouse.POST('/pam/rules', { params: { query }, body }));
    return;
  }
  const params = { path: { id: change.id }, query };
  if (change.kind === 'update') await ok(gatehouse.PATCH('/pam/rules/{id}', { params, body: change.members }));
  else await ok(gatehouse.DELETE('/pam/rules/{id}', { params }));
}

const apply: Command = {
  name: 'rules apply',
  does: "replaces an organisation's or the partner's rules with those of a YAML file",
  options: { ...OWNER_OPTIONS, file: textOption, prune: flag, 'dry-run': flag },
  run: async ({ gatehouse }, _, options) => {
    const owner = ownerOf(options);
    const wanted = fromYaml(readText(required(options, 'file')));
    const changes = plan(await rulesOf(gatehouse, owner), wanted, options['prune'] === true);
    const isDry = options['dry-run'] === true;
    if (!isDry) for (const change of changes) await perform(gatehouse, owner, change);
    const lines = changes.map((change) => plain(lineOf(change)));
    const total = `${changes.length} changes${isDry ? ', none made' : ''}`;
    return { json: { dryRun: isDry, changes }, text: [...lines, total].join('\n') };
  },
};

const replay: Command = {
  name: 'rules replay',
  does: 'replays past requests under the rules of a YAML file, and applies the rules with --apply',
  takes: ['FILE'],
  options: { org: textOption, days: textOption, prune: flag, apply: flag },
  run: async ({ gatehouse }, [file = ''], options) => {
    const orgId = required(options, 'org');
    const query = { orgId };
    const planned = plan(await rulesOf(gatehouse, { orgId }), fromYaml(readText(file)), options['prune'] === true);
    const windowDays = wholeNumber(options, 'days') ?? DEFAULT_DAYS;
    const body = { name: file.slice(-MAX_NAME), windowDays, changes: changesOf(planned) };
    const { jobId } = await ok(gatehouse.POST('/pam/replays', { params: { query }, body }));
    const { summary, state, error } = await awaited(gatehouse, jobId);
    if (!summary) return { json: { jobId, state, error }, text: plain(`${state}: ${error ?? ''}`), exitCode: 1 };
    const lines = linesOf(jobId, summary);
    if (options['apply'] !== true) return { json: { jobId, summary }, text: lines.join('\n') };
    const params = { path: { id: jobId }, query };
    const accept = { acceptNewlyApproved: summary.newlyAutoApproved };
    const { rules, rulebookVersion } = await ok(gatehouse.POST('/pam/replays/{id}/apply', { params, body: accept }));
    const json = { jobId, summary, rulebookVersion };
    return { json, text: [...lines, `applied: ${rules.length} rules`].join('\n') };
  },
};

const lint: Command = {
  name: 'rules lint',
  does: "checks an organisation's rules for problems; exits with 1 if there is an error",
  options: { org: textOption },
  run: async ({ gatehouse }, _, options) => {
    const orgId = required(options, 'org');
    const report = await ok(gatehouse.GET('/pam/rules/lint', { params: { query: { orgId } } }));
    const rules = await rulesOf(gatehouse, { orgId });
    const names = new Map(rules.map(({ id, name }) => [id, name]));
    const rows = report.findings.map(({ severity, code, ruleId, detail }) => [
      severity,
      code,
      names.get(ruleId) ?? ruleId,
      detail,
    ]);
    const hasErrors = report.findings.some(({ severity }) => severity === 'error');
    return {
      json: report,
      text: rows.length === 0 ? 'nothing found' : table(['severity', 'code', 'rule', 'detail'], rows),
      exitCode: hasErrors ? EXIT.refused : EXIT.done,
    };
  },
};

export const RULE_COMMANDS: readonly Command[] = [exportRules, apply, replay, explainRequest, lint];
