import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ConfirmByName } from '../../../ui/forms/dialogs.tsx';
import { Page } from '../../../ui/page.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { notifyRefused } from '../../../ui/notify.ts';
import { ChooseOrganization, useOrg } from '../../../ui/use-org.tsx';
import { CRITERIA, CRITERION_NAMES, type Rule } from '../model.ts';
import { deleteRule, rulesQuery, updateRule, useRuleAct } from '../queries.ts';

const route = getRouteApi('/rules');
const VALUE_LENGTH = 40;

function Criteria({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  return (
    <Group gap={6}>
      {CRITERION_NAMES.filter((name) => rule[CRITERIA[name]] !== null).map((name) => (
        <Text key={name} size="sm">
          {words(`criterion.${name}`)} {words(rule.matchNegate?.includes(name) ? 'isNot' : 'is')}{' '}
          <SafeText value={String(rule[CRITERIA[name]])} path={name === 'pathGlob'} most={VALUE_LENGTH} />
        </Text>
      ))}
    </Group>
  );
}

function State({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  return (
    <Group gap={4}>
      <Badge size="sm" variant="light" tt="none" color={rule.enabled ? 'green' : 'gray'} className="gh-status">
        {words(rule.enabled ? 'on' : 'off')}
      </Badge>
      {rule.matchRiskTierStale && (
        <Badge size="sm" variant="light" tt="none" color="orange" className="gh-flag">
          {words('stale')}
        </Badge>
      )}
    </Group>
  );
}

function DeleteItem({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  const [opened, dialog] = useDisclosure(false);
  const act = useRuleAct(deleteRule);
  return (
    <>
      <Menu.Item color="red" closeMenuOnClick={false} onClick={dialog.open}>
        {words('delete')}
      </Menu.Item>
      <ConfirmByName
        title={words('deleteTitle', { name: rule.name })}
        name={rule.name}
        action={words('delete')}
        opened={opened}
        saving={act.isPending}
        error={act.error}
        onClose={dialog.close}
        onConfirm={() => act.mutate(rule, { onSuccess: dialog.close })}
      >
        <Text size="sm">{words('deleteText')}</Text>
      </ConfirmByName>
    </>
  );
}

function Acts({ rule }: { readonly rule: Rule }) {
  const words = useTranslations('rules');
  const can = useCan();
  const act = useRuleAct(updateRule);
  if (!can('PATCH /pam/rules/{id}')) return null;
  const { id, orgId, enabled, version } = rule;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" aria-label={`${words('acts')}: ${rule.name}`}>
          ⋯
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => act.mutate({ id, orgId, version, enabled: !enabled }, { onError: notifyRefused })}>
          {words(enabled ? 'turnOff' : 'turnOn')}
        </Menu.Item>
        <DeleteItem rule={rule} />
      </Menu.Dropdown>
    </Menu>
  );
}

function useColumns(): readonly Column<Rule>[] {
  const words = useTranslations('rules');
  return [
    { id: 'order', header: words('order'), cell: (rule) => rule.priority },
    {
      id: 'name',
      header: words('name'),
      cell: (rule) => (
        <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId: rule.orgId, ruleId: rule.id }} data-open>
          {rule.name}
        </Link>
      ),
    },
    { id: 'criteria', header: words('criteria'), cell: (rule) => <Criteria rule={rule} /> },
    { id: 'verdict', header: words('verdict'), cell: (rule) => words(`verdicts.${rule.verdict}`) },
    { id: 'state', header: words('state'), cell: (rule) => <State rule={rule} /> },
    { id: 'acts', header: words('acts'), bare: true, cell: (rule) => <Acts rule={rule} /> },
  ];
}

function NewRuleButton({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules');
  if (!useCan()('POST /pam/rules')) return null;
  return (
    <Button component={Link} to="/orgs/$orgId/rules/new" params={{ orgId } as never}>
      {words('new')}
    </Button>
  );
}

function OrganizationRules({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules');
  const columns = useColumns();
  return (
    <QueryView query={useQuery(rulesQuery(orgId))}>
      {(rules) =>
        rules.length === 0 ? (
          <EmptyView title={words('none')} text={words('noneText')} action={<NewRuleButton orgId={orgId} />} />
        ) : (
          <DataTable label={words('title')} columns={columns} rows={rules} idOf={({ id }) => id} />
        )
      }
    </QueryView>
  );
}

/** The screens of what rules refer to, and of what decides without a rule. */
function RelatedLinks() {
  const words = useTranslations('rules.related');
  const { org, site } = route.useSearch();
  const search = { ...(org && { org }), ...(site && { site }) };
  return (
    <Group gap="md" component="nav" aria-label={words('label')}>
      <Link to="/rules/signer-groups" search={search}>
        {words('signerGroups')}
      </Link>
      <Link to="/rules/software-policies" search={search}>
        {words('softwarePolicies')}
      </Link>
      <Link to="/rules/defaults" search={search}>
        {words('defaults')}
      </Link>
    </Group>
  );
}

/** The rules of one organisation, in the order in which they decide. */
export function RuleList() {
  const words = useTranslations('rules');
  route.useSearch();
  const orgId = useOrg();
  return (
    <Page title={words('title')} actions={orgId && <NewRuleButton orgId={orgId} />}>
      <RelatedLinks />
      {orgId ? <OrganizationRules orgId={orgId} /> : <ChooseOrganization />}
    </Page>
  );
}
