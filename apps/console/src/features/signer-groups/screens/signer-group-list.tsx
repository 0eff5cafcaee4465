import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { ChooseOrganization } from '../../../ui/place/choose-organization.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { NewGroupButton, SignerGroups } from '../parts/signer-groups.tsx';
import '../words.ts';

const route = getRouteApi('/rules/signer-groups');

/** The signer groups of one organisation, to which its rules refer. */
export function SignerGroupList() {
  const words = useTranslations('signerGroups');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const orgId = useOrg();
  return (
    <Page title={words('title')} actions={orgId && <NewGroupButton owner={orgId} />}>
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
