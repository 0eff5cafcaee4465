import { Alert, Button, List, Stack, Text, Title } from '@mantine/core';
import type { DataOf } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import type { ListedRule } from '../model.ts';
import { optOutsQuery } from '../queries.ts';
import '../partner-words.ts';

/** Each organisation is asked for its name. */
const SHOWN = 20;

type OptOut = DataOf<'/pam/rules/{id}/opt-outs', 'get'>['optOuts'][number];

function Organization({ orgId }: Pick<OptOut, 'orgId'>) {
  const { scope, membership } = useMe();
  if (scope === 'organization') return membership.orgName;
  return (
    <Link to="/rules" search={{ org: orgId }}>
      <PlaceName level="organization" id={orgId} />
    </Link>
  );
}

/** Who took an organisation out of the rule, when and why. */
function Left({ optOut: { orgId, reason, byName, at } }: { readonly optOut: OptOut }) {
  return (
    <List.Item>
      <Text size="sm" fw={600} component="div">
        <Organization orgId={orgId} />
      </Text>
      <Text size="sm" component="div">
        <SafeText value={reason} />
      </Text>
      <Text size="sm" c="dimmed">
        {byName} <Instant at={at} absolute />
      </Text>
    </List.Item>
  );
}

function OptOutList({ optOuts }: { readonly optOuts: readonly OptOut[] }) {
  const words = useTranslations('partnerRules');
  const { scope } = useMe();
  const [most, setMost] = useState(SHOWN);
  if (optOuts.length === 0)
    return <Text className="gh-hint">{words(scope === 'organization' ? 'notLeft' : 'noneLeft')}</Text>;
  return (
    <>
      <List size="sm" spacing="sm" listStyleType="none">
        {optOuts.slice(0, most).map((optOut) => (
          <Left key={optOut.orgId} optOut={optOut} />
        ))}
      </List>
      {optOuts.length > most && (
        <Button variant="default" size="xs" onClick={() => setMost(most + SHOWN)}>
          {words('more')}
        </Button>
      )}
    </>
  );
}

/** Members whose change leaves the rule what it is, so that the opt-outs stay. */
const KEEPING: readonly string[] = [
  'name',
  'description',
  'priority',
  'enabled',
  'mode',
  'expiresAt',
  'approvalDurationMinutes',
];

interface OptOutsProps {
  readonly rule: Pick<ListedRule, 'id'>;
  /** The members of the rule that are to be saved. */
  readonly changes?: readonly string[];
}

function EndWarning({ count }: { readonly count: number }) {
  const words = useTranslations('partnerRules');
  return (
    <Alert color="yellow" variant="light" role="status">
      {words('endsOptOuts', { count })}
    </Alert>
  );
}

/**
 * The organisations that have left a rule of the partner, as far as the reader reaches them; before a change is saved
 * that makes it another rule, that they no longer will have.
 */
export function OptOuts({ rule, changes = [] }: OptOutsProps) {
  const words = useTranslations('partnerRules');
  const isAnother = changes.some((member) => !KEEPING.includes(member));
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('left')}</Title>
      <QueryView query={useQuery(optOutsQuery(rule.id))}>
        {(optOuts) => (
          <>
            {isAnother && optOuts.length > 0 && <EndWarning count={optOuts.length} />}
            <OptOutList optOuts={optOuts} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}
