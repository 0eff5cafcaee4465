import { Stack, Text, Title } from '@mantine/core';
import { GatehouseError } from '@gatehouse/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { ErrorView } from '../../../ui/state-views.tsx';
import { OfPartner, useChosenPartner } from '../../../ui/use-org.tsx';
import { bodyOf, EMPTY_PARTNER_DRAFT } from '../model.ts';
import { RuleForm } from '../parts/rule-form.tsx';
import { createPartnerRule, useMayChangePartnerRules, useRuleAct } from '../queries.ts';
import '../partner-words.ts';

/** As the server would refuse it. */
const REFUSAL = new GatehouseError(403, { code: 'partner_access_denied' } as GatehouseError['problem']);

function Reach() {
  const words = useTranslations('partnerRules');
  return (
    <Stack className="gh-card" gap="xs">
      <Title order={2}>{words('reach')}</Title>
      <Text size="sm">{words('reachText')}</Text>
    </Stack>
  );
}

function Editor() {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  const [draft, setDraft] = useState(EMPTY_PARTNER_DRAFT);
  const navigate = useNavigate();
  const partner = useChosenPartner();
  const act = useRuleAct(createPartnerRule);
  const saved = useUnsaved(draft !== EMPTY_PARTNER_DRAFT);
  const back = () => void navigate({ to: '/rules/partner' });
  const onSuccess = () => {
    saved();
    notifyDone(words('saved', { mode: draft.mode }));
    back();
  };
  return (
    <Page title={partnerWords('new')}>
      <OfPartner>
        <RuleForm
          orgId={null}
          draft={draft}
          saving={act.isPending}
          error={act.error}
          beside={<Reach />}
          onChange={setDraft}
          onSave={() => act.mutate({ ...bodyOf(draft), ...(partner && { partnerId: partner }) }, { onSuccess })}
          onCancel={back}
        />
      </OfPartner>
    </Page>
  );
}

/** A new rule for every organisation of the partner. */
export function NewPartnerRule() {
  return useMayChangePartnerRules() ? <Editor /> : <ErrorView error={REFUSAL} />;
}
