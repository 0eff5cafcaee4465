import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Members } from '../../../ui/conflicts/merge.ts';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import type { Values } from '../../../ui/forms/fields.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { bodyOf, draftOf } from '../draft.ts';
import type { Provider } from '../model.ts';
import { readProvider } from '../queries.ts';

const VALUE_LENGTH = 80;
const HIDDEN = '••••••••';
const TITLES = {
  name: 'name',
  issuer: 'issuer',
  clientId: 'clientId',
  clientSecret: 'clientSecret',
  clientSecretExpiresAt: 'clientSecretExpiresAt',
  scopes: 'oidcScopes',
  entityId: 'entityId',
  ssoUrl: 'ssoUrl',
  nameIdFormat: 'nameIdFormat',
  forceAuthn: 'forceAuthn',
  attributeMapping: 'mapping',
  autoProvision: 'autoProvision',
  defaultRoleId: 'defaultRole',
  allowedDomains: 'allowedDomains',
  trustsIdpMfa: 'trustsIdpMfa',
  mfaEvidence: 'evidenceTitle',
  mfaEvidenceValues: 'evidenceValuesTitle',
  subjectClaim: 'subjectClaim',
} as const;
const isTitled = (member: string): member is keyof typeof TITLES => member in TITLES;

const mappingIn = (value: object): string =>
  Object.entries(value)
    .map(([field, claim]) => `${field}: ${String(claim)}`)
    .join(', ');

function useShownValues(): (member: string, value: unknown) => React.ReactNode {
  const words = useTranslations('ui');
  return (member, value) => {
    if (value === null || value === undefined) return words('none');
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
    if (member === 'clientSecret') return HIDDEN;
    return <SafeText value={typeof value === 'object' ? mappingIn(value) : String(value)} most={VALUE_LENGTH} />;
  };
}

interface ProviderConflictProps {
  /** The provider that the form began with. */
  readonly provider: Provider;
  readonly values: Values;
  readonly act: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'reset'>;
  readonly onChoose: (choice: Choice, stored: Provider, merged: Values) => void;
}

/** Compares the form with the provider as another person has saved it since the form was opened. */
export function ProviderConflict({ provider, values, act, onChoose }: ProviderConflictProps) {
  const words = useTranslations('signOn');
  const show = useShownValues();
  const { id, name, type } = provider;
  const membersOf = (stored: Provider) => bodyOf(type, draftOf(stored)) as Members;
  return (
    <VersionConflict
      about={name}
      audited="sso.provider.update"
      error={act.error}
      read={() => readProvider(id)}
      membersOf={membersOf}
      base={membersOf(provider)}
      own={bodyOf(type, values) as Members}
      nameOf={(member) => (isTitled(member) ? words(TITLES[member]) : member)}
      show={show}
      onChoose={(choice, stored, merged) => {
        act.reset();
        onChoose(choice, stored, draftOf({ ...(merged as Partial<Provider>), type }));
      }}
      onClose={act.reset}
    />
  );
}
