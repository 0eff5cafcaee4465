import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { ProviderEditor } from '../parts/provider-editor.tsx';
import { providerQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/sign-on/$providerId/edit');

/** The settings of an identity provider, to be changed. */
export function EditProvider() {
  const words = useTranslations('signOn');
  const { providerId } = route.useParams();
  const { field } = route.useSearch();
  const navigate = route.useNavigate();
  const back = () => void navigate({ to: '/sign-on/$providerId', params: { providerId } });
  return (
    <QueryView query={useQuery(providerQuery(providerId))}>
      {(provider) => (
        <Page title={words('editTitle', { name: provider.name })} orgId={provider.orgId}>
          <ProviderEditor key={provider.id} provider={provider} field={field} onBack={back} />
        </Page>
      )}
    </QueryView>
  );
}
