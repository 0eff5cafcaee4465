import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { NewGroupButton, SignerGroups } from '../parts/signer-groups.tsx';
import '../words.ts';

const route = getRouteApi('/rules/partner/signer-groups');

/** The signer groups of the partner, to which only its own rules refer. */
export function PartnerSignerGroups() {
  const words = useTranslations('signerGroups');
  const { scope, partnerWidePolicyRights } = useMe();
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = scope === 'partner' && partnerWidePolicyRights;
  return (
    <Page title={words('partnerTitle')} actions={mayCreate && <NewGroupButton owner={null} />}>
      <nav aria-label={words('partnerRules')}>
        <Link to="/rules/partner">{words('partnerRules')}</Link>
      </nav>
      <SignerGroups owner={null} page={page} onPage={(next) => void navigate({ search: { page: next } })} />
    </Page>
  );
}
