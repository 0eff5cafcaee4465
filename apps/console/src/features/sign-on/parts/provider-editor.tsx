import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf, fieldErrors } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import type { Values } from '../../../ui/forms/fields.ts';
import { keyOf, withKeys } from '../../../ui/forms/form-dialog.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { changesOf, draftOf, faultAt, type ProviderPatch } from '../draft.ts';
import type { Provider } from '../model.ts';
import { ProviderForm, useProviderForm } from './provider-form.tsx';
import { CHANGES, updateProvider } from '../queries.ts';

/** Loaded with the first conflict. */
const ProviderConflict = lazyPart(async () => ({
  default: (await import('./provider-conflict.tsx')).ProviderConflict,
}));

interface Saving {
  readonly base: Provider;
  readonly changes: ProviderPatch;
}

/** Begins with the provider as it was read first: a later version does not take away what was typed. */
function useEditing(stored: Provider, onBack: () => void) {
  const words = useTranslations('signOn');
  const [provider, setProvider] = useState(stored);
  const { form, values, setValues } = useProviderForm(draftOf(stored));
  const act = useAct(CHANGES, ({ base, changes }: Saving) => updateProvider(base, changes));
  const changes = changesOf(provider, values);
  const saved = useUnsaved(Object.keys(changes).length > 0);
  const saveOver = (base: Provider, next: Values, confirmRelink?: number) =>
    act.mutate(
      { base, changes: { ...changesOf(base, next), ...(confirmRelink !== undefined && { confirmRelink }) } },
      {
        onSuccess: ({ name }) => {
          saved();
          notifyDone(words('saved', { name }));
          onBack();
        },
        onError: (error) => form.setErrors(withKeys({ ...fieldErrors(error), ...faultAt(error) })),
      },
    );
  const settle = (choice: Choice, latest: Provider, merged: Values) => {
    setProvider(latest);
    setValues(choice === 'theirs' ? draftOf(latest) : merged);
    if (choice === 'mine') saveOver(latest, merged);
  };
  return {
    provider,
    form,
    values,
    changes,
    act,
    settle,
    save: (confirmRelink?: number) => saveOver(provider, values, confirmRelink),
  };
}

interface ProviderEditorProps {
  readonly provider: Provider;
  /** The setting that a test found wrong: it takes the focus. */
  readonly field?: string | undefined;
  readonly onBack: () => void;
}

/** The settings of a provider, to be changed; what another person saves in between is not overwritten. */
export function ProviderEditor({ provider: stored, field, onBack }: ProviderEditorProps) {
  const { provider, form, values, changes, act, settle, save } = useEditing(stored, onBack);
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  const { getInputNode } = form;
  useEffect(() => {
    if (field) getInputNode(keyOf(field))?.focus();
  }, [field, getInputNode]);
  return (
    <>
      <ProviderForm
        {...{ provider, form, values, changes }}
        saving={act.isPending}
        error={isConflict ? null : act.error}
        onSave={save}
        onCancel={onBack}
      />
      {isConflict && (
        <Suspense fallback={null}>
          <ProviderConflict {...{ provider, values, act }} onChoose={settle} />
        </Suspense>
      )}
    </>
  );
}
