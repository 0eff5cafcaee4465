import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { PartnerPart } from '../partner/partner-part.tsx';
import { PartnerRuleActs } from '../partner/partner-rule-acts.tsx';
import { mayBeLeft, type PartnerRule, partnerRulesAt, PRECEDENCES } from '../model.ts';
import { partnerRulesQuery } from '../queries.ts';
import { useMayAddPartnerRules, useMayChangePartnerRules } from '../use-partner-rights.ts';
import '../partner-words.ts';
import '../words.ts';

function NewButton() {
  const words = useTranslations('partnerRules');
  if (!useMayAddPartnerRules()) return null;
  return (
    <Button component={Link} to="/rules/partner/new">
      {words('new')}
    </Button>
  );
}

/** How many organisations have left a rule; the page of the rule names them and their reasons. */
function LeftBy({ rule }: { readonly rule: PartnerRule }) {
  const words = useTranslations('partnerRules');
  if (!mayBeLeft(rule)) return <Text size="sm">{words('neverLeave')}</Text>;
  if (!rule.optOuts) return <Text size="sm">{words('leftBy', { count: 0 })}</Text>;
  return (
    <Link to="/rules/partner/$ruleId" params={{ ruleId: rule.id }}>
      {words('leftBy', { count: rule.optOuts })}
    </Link>
  );
}

function useFurther(): readonly Column<PartnerRule>[] {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  const mayChange = useMayChangePartnerRules();
  return [
    { id: 'priority', header: partnerWords('priority'), cell: ({ priority }) => priority },
    { id: 'left', header: partnerWords('left'), cell: (rule) => <LeftBy rule={rule} /> },
    ...(mayChange
      ? [
          {
            id: 'acts',
            header: words('acts'),
            bare: true,
            cell: (rule: PartnerRule) => <PartnerRuleActs rule={rule} />,
          },
        ]
      : []),
  ];
}

function Links() {
  const words = useTranslations('partnerRules');
  const rulesWords = useTranslations('rules.related');
  return (
    <Group gap="md" component="nav" aria-label={rulesWords('label')}>
      <Link to="/rules">{words('ofOrganizations')}</Link>
      <Link to="/rules/partner/signer-groups">{words('signerGroups')}</Link>
    </Group>
  );
}

/** The rules that the partner gives to all its organisations. */
export function PartnerRuleList() {
  const words = useTranslations('partnerRules');
  const further = useFurther();
  return (
    <Page title={words('title')} actions={<NewButton />}>
      <Links />
      <QueryView query={useQuery(partnerRulesQuery)}>
        {(rules) =>
          rules.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} action={<NewButton />} />
          ) : (
            PRECEDENCES.map((place) => (
              <PartnerPart
                key={place}
                {...{ place, further }}
                title={words(`parts.${place}`)}
                rules={partnerRulesAt(rules, place)}
              />
            ))
          )
        }
      </QueryView>
    </Page>
  );
}
