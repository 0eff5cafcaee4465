import { Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type RequestDetail, requestQuery } from '../../../ui/elevation/request.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { bodyOf, type Draft, draftFrom, EMPTY_DRAFT, type Strictness, STRICTNESS } from '../model.ts';
import { RuleForm } from '../parts/rule-form.tsx';
import { createRule, useRuleAct } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/rules/new');

function Editor({ initial, before }: { readonly initial: Draft; readonly before?: React.ReactNode }) {
  const words = useTranslations('rules');
  const { orgId } = route.useParams();
  const navigate = useNavigate();
  const act = useRuleAct(createRule);
  const back = () => void navigate({ to: '/rules', search: { org: orgId } });
  const save = (draft: Draft) =>
    act.mutate(
      { ...bodyOf(draft), orgId },
      {
        onSuccess: () => {
          notifyDone(words('saved'));
          back();
        },
      },
    );
  return (
    <RuleForm {...{ orgId, initial, before }} saving={act.isPending} error={act.error} onSave={save} onCancel={back} />
  );
}

/** How close the rule stays to the request; each choice begins the editor anew. */
function FromRequest({ request }: { readonly request: RequestDetail }) {
  const words = useTranslations('rules');
  const first = STRICTNESS.find((one) => draftFrom(request, one) !== null);
  const [strictness, setStrictness] = useState<Strictness>(first ?? 'file');
  const choice = (
    <Radio.Group
      label={words('fromRequest')}
      value={strictness}
      onChange={(value) => setStrictness(value as Strictness)}
      className="gh-card"
    >
      <Stack gap="xs" mt="xs">
        {STRICTNESS.map((one) => {
          const fits = draftFrom(request, one) !== null;
          const label = words(`strictness.${one}`);
          return (
            <Radio key={one} value={one} disabled={!fits} label={fits ? label : `${label}: ${words('cannotFrom')}`} />
          );
        })}
      </Stack>
    </Radio.Group>
  );
  return <Editor key={strictness} initial={draftFrom(request, strictness) ?? EMPTY_DRAFT} before={choice} />;
}

function LoadedRequest({ id }: { readonly id: string }) {
  return <QueryView query={useQuery(requestQuery(id))}>{(request) => <FromRequest request={request} />}</QueryView>;
}

/** A new rule, empty or made from a request. */
export function NewRule() {
  const words = useTranslations('rules');
  const { from } = route.useSearch();
  return <Page title={words('newTitle')}>{from ? <LoadedRequest id={from} /> : <Editor initial={EMPTY_DRAFT} />}</Page>;
}
