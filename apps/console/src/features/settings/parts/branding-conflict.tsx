import { useTranslations } from 'use-intl';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import type { Members } from '../../../ui/conflicts/merge.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import type { BrandingValues } from '../model.ts';
import { type Branding, readBranding } from '../queries.ts';

interface BrandingConflictProps {
  readonly error: unknown;
  readonly base: BrandingValues;
  readonly own: BrandingValues;
  readonly valuesOf: (stored: Branding | null) => BrandingValues;
  readonly onChoose: (choice: Choice, stored: Branding | null, merged: BrandingValues) => void;
  readonly onClose: () => void;
}

const valuesIn = (members: Members): BrandingValues => ({
  logoUrl: String(members['logoUrl'] ?? ''),
  accentColor: String(members['accentColor'] ?? ''),
  headline: String(members['headline'] ?? ''),
});

/** Compares the form with the branding as another person has saved it since the form was opened. */
export function BrandingConflict({ error, base, own, valuesOf, onChoose, onClose }: BrandingConflictProps) {
  const words = useTranslations('settings');
  const uiWords = useTranslations('ui');
  return (
    <VersionConflict
      about={words('branding')}
      audited="partner.login_branding.update"
      error={error}
      read={readBranding}
      membersOf={(stored) => ({ ...valuesOf(stored) })}
      base={{ ...base }}
      own={{ ...own }}
      nameOf={(member) => words(member as keyof BrandingValues)}
      show={(_, value) => (value ? <SafeText value={String(value)} /> : uiWords('none'))}
      onChoose={(choice, stored, merged) => onChoose(choice, stored, valuesIn(merged))}
      onClose={onClose}
    />
  );
}
