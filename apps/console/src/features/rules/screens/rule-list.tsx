import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { Pager } from '../../../ui/lists/data-table.tsx';
import { HeldRows } from '../../../ui/lists/held-rows.tsx';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, LoadingView, QueryView } from '../../../ui/state-views.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { RuleTable } from '../list/rule-table.tsx';
import { type ListedRule, ownRules } from '../model.ts';
import { effectiveRulesQuery, type LintFinding, lintQuery } from '../queries.ts';

/** Loaded where the partner has rules. */
const PartnerSection = lazyPart(async () => ({
  default: (await import('../partner/partner-section.tsx')).PartnerSection,
}));

interface RulePartsProps {
  readonly orgId: string;
  /** All rules that reach the organisation, and those of them that are shown. */
  readonly rules: readonly ListedRule[];
  readonly shown: readonly ListedRule[];
  readonly found: readonly LintFinding[];
}

/** The organisation's rules between those of its partner, in the order in which they decide. */
function RuleParts({ orgId, rules, shown, found }: RulePartsProps) {
  const words = useTranslations('rules');
  // The order follows the list as long as it is the same one.
  const own = useMemo(() => ownRules(rules), [rules]);
  const shownOwn = ownRules(shown);
  const table = <RuleTable orgId={orgId} rules={own} shown={shownOwn} findings={found} />;
  if (own.length === rules.length) return table;
  return (
    <Suspense fallback={<LoadingView />}>
      <PartnerSection {...{ orgId, shown }} place="before" />
      {(shownOwn.length > 0 || own.length === 0) && <Title order={2}>{words('ofOrganization')}</Title>}
      {own.length === 0 && <Text size="sm">{words('noOwn')}</Text>}
      {shownOwn.length > 0 && table}
      <PartnerSection {...{ orgId, shown }} place="after" />
    </Suspense>
  );
}

/** Loaded when they are asked for. */
const ExpiringRules = lazyPart(async () => ({ default: (await import('./expiring-rules.tsx')).ExpiringRules }));
const ChooseOrganization = lazyPart(async () => ({
  default: (await import('../../../ui/place/choose-organization.tsx')).ChooseOrganization,
}));
const LintList = lazyPart(async () => ({ default: (await import('../lint/lint-list.tsx')).LintList }));
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
  const query = useQuery(effectiveRulesQuery(orgId));
  const page = search.page ?? 1;
  return (
    <QueryView query={query}>
      {(rules) =>
        rules.length === 0 ? (
          <EmptyView title={words('none')} text={words('noneText')} />
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
            <HeldRows
              of="rules"
              rows={rules.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH)}
              question={JSON.stringify([orgId, page, query.isPlaceholderData])}
            >
              {(shown, arrived) => (
                <>
                  <RuleParts {...{ orgId, rules, found, shown }} />
                  {rules.length > PAGE_LENGTH && (
                    <Pager
                      pagination={{ page, limit: PAGE_LENGTH, total: rules.length }}
                      arrived={arrived}
                      onPage={(next) => void navigate({ search: { ...search, page: next } })}
                    />
                  )}
                </>
              )}
            </HeldRows>
          </>
        )
      }
    </QueryView>
  );
}

/** The rules of one organisation, in the order in which they decide. */
export function RuleList() {
  const words = useTranslations('rules');
  const { expiring, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const orgId = useOrg();
  return (
    <Page title={words('title')} actions={orgId && <NewRuleButton orgId={orgId} />}>
      <RulesTabs />
      <Suspense fallback={<LoadingView />}>
        {expiring && <ExpiringRules org={orgId} onAll={() => void navigate({ search })} />}
        {!expiring && (orgId ? <OrganizationRules orgId={orgId} /> : <ChooseOrganization />)}
      </Suspense>
    </Page>
  );
}
