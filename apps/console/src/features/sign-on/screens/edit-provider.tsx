import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf, fieldErrors } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import type { Values } from '../../../ui/forms/fields.ts';
import { withKeys } from '../../../ui/forms/form-dialog.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/use-act.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { changesOf, draftOf, type ProviderPatch } from '../draft.ts';
import { faultAt } from '../faults.ts';
import type { Provider } from '../model.ts';
import { ProviderForm, useProviderForm } from '../parts/provider-form.tsx';
import { CHANGES, providerQuery, updateProvider } from '../queries.ts';
import '../words.ts';

/** Loaded with the first conflict. */
const ProviderConflict = lazy(async () => ({
  default: (await import('../parts/provider-conflict.tsx')).ProviderConflict,
}));
const route = getRouteApi('/sign-on/$providerId/edit');

interface Saving {
  readonly base: Provider;
  readonly changes: ProviderPatch;
}

/** Begins with the provider as it was read first: a later version does not take away what was typed. */
function useEditing(stored: Provider) {
  const words = useTranslations('signOn');
  const [provider, setProvider] = useState(stored);
  const { form, values, setValues } = useProviderForm(draftOf(stored));
  const navigate = route.useNavigate();
  const act = useAct(CHANGES, ({ base, changes }: Saving) => updateProvider(base, changes));
  const changes = changesOf(provider, values);
  const saved = useUnsaved(Object.keys(changes).length > 0);
  const back = () => void navigate({ to: '/sign-on/$providerId', params: { providerId: provider.id } });
  const saveOver = (base: Provider, next: Values) =>
    act.mutate(
      { base, changes: changesOf(base, next) },
      {
        onSuccess: ({ name }) => {
          saved();
          notifyDone(words('saved', { name }));
          back();
        },
        onError: (error) => form.setErrors(withKeys({ ...fieldErrors(error), ...faultAt(error) })),
      },
    );
  const settle = (choice: Choice, latest: Provider, merged: Values) => {
    setProvider(latest);
    setValues(choice === 'theirs' ? draftOf(latest) : merged);
    if (choice === 'mine') saveOver(latest, merged);
  };
  return { provider, form, values, changes, act, back, settle, save: () => saveOver(provider, values) };
}

function Editor({ provider: stored }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { provider, form, values, changes, act, back, settle, save } = useEditing(stored);
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  return (
    <Page title={words('editTitle', { name: provider.name })}>
      <ProviderForm
        {...{ provider, form, values, changes }}
        saving={act.isPending}
        error={isConflict ? null : act.error}
        onSave={save}
        onCancel={back}
      />
      {isConflict && (
        <Suspense fallback={null}>
          <ProviderConflict {...{ provider, values, act }} onChoose={settle} />
        </Suspense>
      )}
    </Page>
  );
}

/** The settings of an identity provider, to be changed. */
export function EditProvider() {
  const { providerId } = route.useParams();
  return (
    <QueryView query={useQuery(providerQuery(providerId))}>
      {(provider) => <Editor key={provider.id} provider={provider} />}
    </QueryView>
  );
}
