import { useTranslations } from 'use-intl';
import type { Column } from '../../../ui/lists/data-table.tsx';
import { type ListedRule, type PartnerRule, partnerRulesAt, type Precedence } from '../model.ts';
import { LeaveButtons } from './leave-buttons.tsx';
import { PartnerPart } from './partner-part.tsx';
import '../partner-words.ts';

interface PartnerSectionProps {
  readonly orgId: string;
  readonly place: Precedence;
  /** The rules that are shown, those of the organisation among them. */
  readonly shown: readonly ListedRule[];
}

/** The rules of the partner that stand before or after those of an organisation, which may leave some of them. */
export function PartnerSection({ orgId, place, shown }: PartnerSectionProps) {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  const rules = partnerRulesAt(shown, place);
  const acts: Column<PartnerRule> = {
    id: 'acts',
    header: words('acts'),
    bare: true,
    needs: 'DELETE /pam/rules/{id}/opt-out',
    cell: (rule) => <LeaveButtons rule={rule} orgId={orgId} />,
  };
  if (rules.length === 0) return null;
  return <PartnerPart {...{ place, rules }} title={partnerWords(`around.${place}`)} further={[acts]} />;
}
