import '../partner-words.ts';
import { Button, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Overlay } from '../../../ui/forms/unsaved.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { notifyRefused } from '../../../ui/notify.ts';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { OfPartner, useChosenPartner, useIsPartnerKnown } from '../../../ui/use-org.tsx';
import { optOutAllowed, type PartnerRule, partnerRulesAt, PRECEDENCES } from '../model.ts';
import { PartnerPart } from '../partner/partner-part.tsx';
import { partnerRulesQuery, updateRule, useMayChangePartnerRules, useRuleAct } from '../queries.ts';

const DeleteDialog = lazyPart(async () => ({ default: (await import('../shared/delete-dialog.tsx')).DeleteDialog }));

/** What the partner can do about a rule of its own in the list. */
function PartnerRuleActs({ rule }: { readonly rule: PartnerRule }) {
  const words = useTranslations('rules');
  const [asked, dialog] = useDisclosure(false);
  const act = useRuleAct(updateRule);
  const { id, orgId, version, enabled } = rule;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" aria-label={`${words('acts')}: ${rule.name}`}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Overlay />
          <Menu.Item onClick={() => act.mutate({ id, orgId, version, enabled: !enabled }, { onError: notifyRefused })}>
            {words(enabled ? 'turnOff' : 'turnOn')}
          </Menu.Item>
          <Menu.Item color="red" onClick={dialog.open}>
            {words('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>{asked && <DeleteDialog rule={rule} onClose={dialog.close} />}</Suspense>
    </>
  );
}

function NewButton() {
  const words = useTranslations('partnerRules');
  const isKnown = useIsPartnerKnown();
  if (!useMayChangePartnerRules() || !isKnown) return null;
  return (
    <Button component={Link} to="/rules/partner/new">
      {words('new')}
    </Button>
  );
}

/** How many organisations have left a rule; the page of the rule names them and their reasons. */
function OptOutNote({ rule }: { readonly rule: PartnerRule }) {
  const words = useTranslations('partnerRules');
  if (!optOutAllowed(rule)) return <Text size="sm">{words('neverLeave')}</Text>;
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
    { id: 'left', header: partnerWords('left'), cell: (rule) => <OptOutNote rule={rule} /> },
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

function PartnerRules() {
  const words = useTranslations('partnerRules');
  const further = useFurther();
  return (
    <QueryView query={useQuery(partnerRulesQuery(useChosenPartner()))}>
      {(rules) =>
        rules.length === 0 ? (
          <EmptyView title={words('none')} text={words('noneText')} />
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
  );
}

/** The rules that a partner gives to all its organisations. */
export function PartnerRuleList() {
  const words = useTranslations('partnerRules');
  return (
    <Page title={words('title')} actions={<NewButton />}>
      <RulesTabs />
      <OfPartner>
        <PartnerRules />
      </OfPartner>
    </Page>
  );
}
