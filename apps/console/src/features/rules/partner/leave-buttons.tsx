import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { ReasonDialog } from '../../../ui/forms/reason-dialog.tsx';
import { optOutAllowed, type PartnerRule } from '../model.ts';
import { leaveRule, returnToRule, useRuleAct } from '../queries.ts';
import '../partner-words.ts';

interface LeaveProps {
  readonly rule: PartnerRule;
  readonly orgId: string;
}

function NeverLeave() {
  const words = useTranslations('partnerRules');
  return (
    <Text size="xs" c="dimmed">
      {words('neverLeave')}
    </Text>
  );
}

/** The dialog stays, and says so, when the partner no longer lets organisations leave the rule. */
function LeaveButton({ rule, orgId }: LeaveProps) {
  const words = useTranslations('partnerRules');
  const [opened, dialog] = useDisclosure(false);
  const act = useRuleAct(leaveRule);
  const leave = (reason: string | undefined) =>
    reason !== undefined && act.mutate({ rule, orgId, reason }, { onSuccess: dialog.close });
  return (
    <>
      {optOutAllowed(rule) ? (
        <Button size="xs" variant="default" aria-label={words('leaveNamed', { name: rule.name })} onClick={dialog.open}>
          {words('leave')}
        </Button>
      ) : (
        <NeverLeave />
      )}
      <ReasonDialog
        title={words('leaveTitle', { name: rule.name })}
        text={words('leaveText')}
        orgId={orgId}
        action={words('leave')}
        required
        saving={act.isPending}
        error={act.error}
        opened={opened}
        onClose={dialog.close}
        onConfirm={leave}
      />
    </>
  );
}

/** Takes an organisation out of a rule of its partner, or brings it back, where both may be. */
export function LeaveButtons({ rule, orgId }: LeaveProps) {
  const words = useTranslations('partnerRules');
  const { membership } = useMe();
  const may = useCan()('PUT /pam/rules/{id}/opt-out') && membership.siteIds.length === 0;
  if (!may) return optOutAllowed(rule) ? null : <NeverLeave />;
  if (!rule.optedOut) return <LeaveButton {...{ rule, orgId }} />;
  return (
    <ConfirmButton
      size="xs"
      label={words('return')}
      title={words('returnTitle', { name: rule.name })}
      needs="DELETE /pam/rules/{id}/opt-out"
      color=""
      changes={['rules']}
      act={() => returnToRule({ rule, orgId })}
    >
      {words('returnText')}
    </ConfirmButton>
  );
}
