import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { CHANGES, inviteAgain, type Person, useForget, withdrawInvitation } from '../queries.ts';

interface InvitationButtonsProps {
  readonly person: Pick<Person, 'id' | 'name'>;
  readonly size?: string;
  readonly onWithdrawn?: () => void;
}

/** Mails an open invitation again, or takes it back. */
export function InvitationButtons({ person: { id, name }, size = 'sm', onWithdrawn }: InvitationButtonsProps) {
  const words = useTranslations('people');
  const forget = useForget();
  const withdrawn = () => {
    forget();
    notifyDone(words('withdrawn', { name }));
    onWithdrawn?.();
  };
  return (
    <>
      <ConfirmButton
        label={words('again')}
        title={words('againTitle', { name })}
        size={size}
        needs="POST /users/{id}/invitation"
        changes={CHANGES}
        act={() => inviteAgain(id)}
        onDone={() => notifyDone(words('invited', { name }))}
      >
        {words('againText')}
      </ConfirmButton>
      <ConfirmButton
        label={words('withdraw')}
        title={words('withdrawTitle', { name })}
        size={size}
        needs="DELETE /users/{id}/invitation"
        changes={[]}
        act={() => withdrawInvitation(id)}
        onDone={withdrawn}
      >
        {words('withdrawText')}
      </ConfirmButton>
    </>
  );
}
