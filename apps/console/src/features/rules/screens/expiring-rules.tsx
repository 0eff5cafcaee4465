import '../partner-words.ts';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../../api/client.ts';
import { serverNow } from '../../../api/browser.ts';
import { weekAhead } from '../../../ui/attention.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import type { ListedRule } from '../model.ts';

/** The rules that end within a week: of an organisation, or of all in reach with those of the partner. */
const expiringRulesQuery = (orgId: string | undefined) => {
  const query = { orgId, expiresBefore: weekAhead(serverNow()), limit: 100 };
  return getQuery('rules', '/pam/rules', { query, select: ({ rules }) => rules });
};

function RuleLink({ id, orgId, name }: ListedRule) {
  return orgId === null ? (
    <Link to="/rules/partner/$ruleId" params={{ ruleId: id }} data-open>
      {name}
    </Link>
  ) : (
    <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId: id }} data-open>
      {name}
    </Link>
  );
}

/** The rules that expire within a week, the first to expire first, with the way back to all rules. */
export function ExpiringRules({ org, onAll }: { readonly org: string | undefined; readonly onAll: () => void }) {
  const words = useTranslations('partnerRules.expiring');
  const columns: readonly Column<ListedRule>[] = [
    { id: 'name', header: words('name'), cell: (rule) => <RuleLink {...rule} /> },
    {
      id: 'owner',
      header: words('owner'),
      cell: ({ orgId }) => (orgId === null ? words('partner') : <PlaceName level="organization" id={orgId} />),
    },
    { id: 'ends', header: words('ends'), cell: ({ expiresAt }) => expiresAt && <Instant at={expiresAt} /> },
  ];
  return (
    <>
      <Group>
        <Text>{words('text')}</Text>
        <Button size="xs" variant="default" onClick={onAll}>
          {words('all')}
        </Button>
      </Group>
      <QueryView query={useQuery(expiringRulesQuery(org))}>
        {(rules) =>
          rules.length === 0 ? (
            <EmptyView title={words('none')} />
          ) : (
            <DataTable label={words('text')} columns={columns} rows={rules} idOf={({ id }) => id} />
          )
        }
      </QueryView>
    </>
  );
}
