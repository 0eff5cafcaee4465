import { Button, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { Pager } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { later } from '../../../ui/later/later.ts';
import { EmptyView, LoadingView, QueryView } from '../../../ui/state-views.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { RuleParts } from '../list/rule-parts.tsx';
import { effectiveRulesQuery, lintQuery } from '../queries.ts';
import '../words.ts';

/** Loaded when it is asked for. */
const LintList = later(async () => ({ default: (await import('../lint/lint-list.tsx')).LintList }));
const route = getRouteApi('/rules');
const PAGE_LENGTH = 100;

function NewRuleButton({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules');
  if (!useCan()('POST /pam/rules')) return null;
  return (
    <Button component={Link} to="/orgs/$orgId/rules/new" params={{ orgId } as never}>
      {words('new')}
    </Button>
  );
}

/** Opens what the linter found, in the address. */
function LintButton({ count }: { readonly count: number }) {
  const words = useTranslations('rules.findings');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { findings, ...rest } = search;
  const toggle = () => void navigate({ search: findings ? rest : { ...rest, findings: true } });
  if (count === 0) return null;
  return (
    <Button size="xs" variant="default" aria-expanded={findings ?? false} onClick={toggle}>
      {words(findings ? 'hide' : 'show', { count })}
    </Button>
  );
}

function OrganizationRules({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(lintQuery(orgId)).data ?? [];
  const page = search.page ?? 1;
  return (
    <QueryView query={useQuery(effectiveRulesQuery(orgId))}>
      {(rules) =>
        rules.length === 0 ? (
          <EmptyView title={words('none')} text={words('noneText')} action={<NewRuleButton orgId={orgId} />} />
        ) : (
          <>
            <Group>
              <LintButton count={found.length} />
            </Group>
            {search.findings && found.length > 0 && (
              <Stack className="gh-card" gap="sm">
                <Title order={2}>{words('findings.title')}</Title>
                <Suspense fallback={<LoadingView />}>
                  <LintList findings={found} {...{ rules, orgId }} />
                </Suspense>
              </Stack>
            )}
            <RuleParts {...{ orgId, rules, found }} shown={rules.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH)} />
            {rules.length > PAGE_LENGTH && (
              <Pager
                pagination={{ page, limit: PAGE_LENGTH, total: rules.length }}
                onPage={(next) => void navigate({ search: { ...search, page: next } })}
              />
            )}
          </>
        )
      }
    </QueryView>
  );
}

/** The screens of what rules refer to, and of what decides without a rule. */
function RelatedLinks() {
  const words = useTranslations('rules.related');
  const { org, site } = route.useSearch();
  const { scope } = useMe();
  const orgId = useOrg();
  const search = { ...(org && { org }), ...(site && { site }) };
  return (
    <Group gap="md" component="nav" aria-label={words('label')}>
      {scope === 'partner' && <Link to="/rules/partner">{words('partner')}</Link>}
      <Link to="/rules/signer-groups" search={search}>
        {words('signerGroups')}
      </Link>
      <Link to="/rules/software-policies" search={search}>
        {words('softwarePolicies')}
      </Link>
      <Link to="/rules/capture" search={search}>
        {words('capture')}
      </Link>
      <Link to="/rules/defaults" search={search}>
        {words('defaults')}
      </Link>
      {orgId && (
        <Link to="/orgs/$orgId/replays" params={{ orgId }}>
          {words('replays')}
        </Link>
      )}
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
