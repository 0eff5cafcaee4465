import { CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { changePreferences, usePreferences } from '../../../shell/preferences.ts';
import { IconCircle, IconCircleCheck } from '../../../ui/icons.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { nextOf, type Step, STEPS } from '../model.ts';
import { firstStepsQuery } from '../queries.ts';

/** Where a step is taken, in the organisation that is set up; the list of organisations before there is one. */
function placeOf(step: Step, org: string | undefined): Pick<LinkProps, 'to' | 'params' | 'search'> {
  if (org === undefined) return { to: '/orgs' };
  switch (step) {
    case 'prompt':
      return { to: '/requests', search: { org } };
    case 'rule':
      return { to: '/orgs/$orgId/rules/new', params: { orgId: org } };
    case 'signOn':
      return { to: '/sign-on/new', search: { org } };
    case 'person':
      return { to: '/people' };
    default:
      return { to: '/orgs/$orgId', params: { orgId: org } };
  }
}

interface StepRowProps {
  readonly step: Step;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly orgId: string | undefined;
}

function StepRow({ step, isDone, isNext, orgId }: StepRowProps) {
  const words = useTranslations('overview.steps');
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <li data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <Icon size={20} aria-label={words(isDone ? 'done' : 'open')} role="img" />
      <div>
        {isDone ? (
          <Text>{words(`${step}.title`)}</Text>
        ) : (
          <Text fw={isNext ? 650 : 400} component="div">
            <Link {...(placeOf(step, orgId) as { to: '/orgs' })}>{words(`${step}.title`)}</Link>
          </Text>
        )}
        {isNext && <Text className="gh-hint">{words(`${step}.text`)}</Text>}
      </div>
    </li>
  );
}

/** From an empty tenant to a second person; each step is ticked by what the server has. Gone once all are done. */
export function FirstSteps() {
  const words = useTranslations('overview.steps');
  const me = useMe();
  const can = useCan();
  const org = useOrg();
  const { leftFirstSteps } = usePreferences();
  const tenant = me.orgId ?? me.partnerId ?? '';
  const isLeft = leftFirstSteps.includes(tenant);
  const { data } = useQuery({ ...firstStepsQuery(me, can, org), enabled: !isLeft && can('POST /enrollment-keys') });
  const next = data && nextOf(data.progress);
  const leave = () => changePreferences({ leftFirstSteps: [...leftFirstSteps, tenant] });
  useEffect(() => {
    if (next === null && !isLeft) leave();
  });
  if (isLeft || !data || next === null) return null;
  const steps = STEPS.filter((step) => data.progress[step] !== undefined);
  return (
    <Stack component="section" className="gh-card" aria-labelledby="first-steps" gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} id="first-steps">
          {words('title')}
        </Title>
        <CloseButton aria-label={words('dismiss')} title={words('dismiss')} onClick={leave} />
      </Group>
      <ol className="gh-steps">
        {steps.map((step) => (
          <StepRow
            key={step}
            step={step}
            isDone={data.progress[step] === true}
            isNext={step === next}
            orgId={data.orgId}
          />
        ))}
      </ol>
    </Stack>
  );
}
