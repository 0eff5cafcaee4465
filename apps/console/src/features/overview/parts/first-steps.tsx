import { Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '../../../ui/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { nextOf, type Step, STEPS } from '../model.ts';
import { type FirstSteps as Steps, firstStepsQuery } from '../queries.ts';

/** Where a step is taken: the list of organisations, and then the first of them. */
function StepLink({ step, orgId }: { readonly step: Step } & Pick<Steps, 'orgId'>) {
  const words = useTranslations('overview.steps');
  if (orgId === undefined) return <Link to="/orgs">{words(`${step}.act`)}</Link>;
  return (
    <Link to="/orgs/$orgId" params={{ orgId }}>
      {words(`${step}.act`)}
    </Link>
  );
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
        <Text fw={isNext ? 650 : 400}>{words(`${step}.title`)}</Text>
        {isNext && (
          <Text size="sm" c="dimmed">
            {words(`${step}.text`)}
          </Text>
        )}
        {isNext && <StepLink step={step} orgId={orgId} />}
      </div>
    </li>
  );
}

/** What a new tenant does until its first device is there; absent from then on. */
export function FirstSteps() {
  const words = useTranslations('overview.steps');
  const me = useMe();
  const mayTake = useCan()('POST /enrollment-keys');
  const { data: steps } = useQuery({ ...firstStepsQuery(me), enabled: mayTake });
  if (!steps) return null;
  const next = nextOf(steps);
  const own = me.scope === 'organization' ? STEPS.filter((step) => step !== 'organization') : STEPS;
  return (
    <Stack component="section" className="gh-card" aria-labelledby="first-steps" gap="xs">
      <Title order={2} id="first-steps">
        {words('title')}
      </Title>
      <ol className="gh-steps">
        {own.map((step) => (
          <StepRow key={step} step={step} isDone={steps[step]} isNext={step === next} orgId={steps.orgId} />
        ))}
      </ol>
    </Stack>
  );
}
