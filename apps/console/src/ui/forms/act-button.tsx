import { Button, type ButtonProps, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, Suspense, useContext } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../api/generated/access.ts';
import { useCan } from '../../api/me.ts';
import { lazyPart } from '../later/lazy-part.ts';
import { rememberMade } from '../lists/made.ts';
import { notifySaved } from '../notify.ts';
import { usePageOrg } from '../use-org.tsx';
import { useAsked } from '../page.tsx';
import { ConfirmByName, Dialog, FormActions } from './dialogs.tsx';
import type { Field, Values } from './fields.ts';
import { Refusal } from './refusal.tsx';

/** A change of things, after which everything that the named features have read is read anew. */
export function useAct<Input, Result>(features: readonly string[], act: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: (answer) => {
      rememberMade(answer);
      return Promise.all(features.map((feature) => queryClient.invalidateQueries({ queryKey: [feature] })));
    },
  });
}

export interface OpenerProps extends ButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Draws what opens the dialogs of acts, in place of buttons: a menu draws entries. */
export const DrawOpener = createContext<((props: OpenerProps) => ReactNode) | null>(null);

/** Opens the dialog of an act. */
export function Opener(props: OpenerProps) {
  const draw = useContext(DrawOpener);
  return draw ? draw(props) : <Button {...props} />;
}

/** Forms are loaded when the first one opens. */
const FormDialog = lazyPart(async () => ({ default: (await import('./form-dialog.tsx')).FormDialog }));

export type FormAction = 'add' | 'create' | 'save';

interface FormButtonProps<Result> extends ButtonProps {
  readonly label: string;
  readonly title?: string;
  readonly text?: ReactNode;
  readonly needs: Operation;
  /** What the form's button says: "Save" for changes, else by default the label. */
  readonly action?: FormAction;
  readonly fields: readonly Field[];
  readonly initial?: Values;
  /** The features whose data the act changes. */
  readonly changes: readonly string[];
  readonly act: (values: Values) => Promise<Result>;
  readonly onDone?: (result: Result) => void;
  /** Faults at fields, for refusals that name no field themselves. */
  readonly faultAt?: (error: unknown) => Readonly<Record<string, string>>;
  /** The organisation of what the form is about; by default that of the page. */
  readonly orgId?: string | null | undefined;
}

const emptyValues = (fields: readonly Field[]): Values =>
  Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'switch' ? false : '']));

/** A button that opens a form; absent for those who may not act. */
export function FormButton<Result>(props: FormButtonProps<Result>) {
  const { label, title = label, text, needs, fields, initial, changes, act, onDone, faultAt, ...rest } = props;
  const { org } = usePageOrg();
  const { orgId = org, action = /^P(ATCH|UT) /.test(needs) ? 'save' : undefined, ...button } = rest;
  const words = useTranslations('ui');
  const running = useAct<Values, unknown>(changes, act);
  const [opened, dialog] = useDisclosure(false);
  useAsked(needs, dialog.open);
  if (!useCan()(needs)) return null;
  return (
    <>
      <Opener {...button} onClick={dialog.open}>
        {label}
      </Opener>
      {opened && (
        <Suspense fallback={null}>
          <FormDialog
            {...{ title, text, fields, opened, faultAt, orgId }}
            act={running}
            action={action ? words(action) : label}
            {...(button.color && { color: button.color })}
            initial={{ ...emptyValues(fields), ...initial }}
            onClose={dialog.close}
            onDone={(result) => tell(title, onDone, result as Result)}
          />
        </Suspense>
      )}
    </>
  );
}

const tell = <Result,>(title: string, onDone: ((result: Result) => void) | undefined, result: Result): void =>
  onDone ? onDone(result) : notifySaved(title);

interface ConfirmButtonProps<Result> extends ButtonProps {
  readonly label: string;
  readonly title: string;
  readonly needs: Operation;
  /** The name that has to be typed; absent for acts that can be undone. */
  readonly name?: string;
  readonly changes: readonly string[];
  readonly act: () => Promise<Result>;
  readonly onDone?: (result: Result) => void;
  /** The organisation of what is changed, which the dialog names; by default that of the page. */
  readonly orgId?: string | null;
  readonly children?: ReactNode;
}

/** A button that asks before it acts; absent for those who may not act. */
export function ConfirmButton<Result>(props: ConfirmButtonProps<Result>) {
  const { label, title, needs, name, changes, act, onDone, orgId, children, ...button } = props;
  const running = useAct<void, Result>(changes, act);
  const [opened, dialog] = useDisclosure(false);
  const { org } = usePageOrg();
  const color = button.color ?? (needs.startsWith('DELETE ') ? 'red' : '');
  if (!useCan()(needs)) return null;
  const confirm = () =>
    running.mutate(undefined, {
      onSuccess: (result) => {
        dialog.close();
        tell(title, onDone, result);
      },
    });
  const shared = { title, opened, onClose: dialog.close, orgId: orgId === undefined ? org : orgId };
  const text = (
    <Text component="div" size="sm" mb="md">
      {children}
    </Text>
  );
  return (
    <>
      <Opener variant="default" {...button} onClick={dialog.open}>
        {label}
      </Opener>
      {name === undefined ? (
        <Dialog {...shared}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              confirm();
            }}
          >
            {text}
            <Refusal error={running.error} fields={[]} />
            <FormActions label={label} color={color} saving={running.isPending} onCancel={dialog.close} />
          </form>
        </Dialog>
      ) : (
        <ConfirmByName
          {...{ ...shared, name, action: label, saving: running.isPending, error: running.error, onConfirm: confirm }}
        >
          {text}
        </ConfirmByName>
      )}
    </>
  );
}
