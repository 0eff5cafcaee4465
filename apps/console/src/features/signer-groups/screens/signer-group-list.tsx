import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { OfPartner, useIsPartnerKnown, useOrg } from '../../../ui/use-org.tsx';
import { NewGroupButton, SignerGroups } from '../parts/signer-groups.tsx';
import { useMe } from '../../../api/me.ts';
import signerGroups from '../../../words/en/signerGroups.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ signerGroups });

const route = getRouteApi('/rules/signer-groups');

/** The signer groups of one organisation, to which its rules refer. */
export function SignerGroupList() {
  const words = useTranslations('signerGroups');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const orgId = useOrg();
  return (
    <Page title={words('title')} actions={orgId && <NewGroupButton owner={orgId} />}>
      <RulesTabs />
      {orgId ? (
        <SignerGroups
          owner={orgId}
          page={search.page}
          onPage={(page) => void navigate({ search: { ...search, page } })}
        />
      ) : (
        <ChooseOrganization />
      )}
    </Page>
  );
}

const partnerRoute = getRouteApi('/rules/partner/signer-groups');

/** The signer groups of the partner, to which only its own rules refer. */
export function PartnerSignerGroups() {
  const words = useTranslations('signerGroups');
  const { page } = partnerRoute.useSearch();
  const navigate = partnerRoute.useNavigate();
  const isKnown = useIsPartnerKnown();
  const { partnerWidePolicyRights } = useMe();
  return (
    <Page title={words('partnerTitle')} actions={partnerWidePolicyRights && isKnown && <NewGroupButton owner={null} />}>
      <RulesTabs />
      <OfPartner>
        <SignerGroups owner={null} page={page} onPage={(next) => void navigate({ search: { page: next } })} />
      </OfPartner>
    </Page>
  );
}
