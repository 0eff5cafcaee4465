import { type DataOf, GatehouseError, ok } from '@gatehouse/client';
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';
import { ACCESS, type Operation } from './generated/access.ts';

export type Me = DataOf<'/auth/me', 'get'>;

export const meQuery = queryOptions({ queryKey: ['session', 'me'], queryFn: () => ok(api.GET('/auth/me')) });

/** The signed-in person; loaded before the first screen. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** Those whose screens most people look for, first. */
const LEVELS: readonly Me['scope'][] = ['partner', 'organization', 'system'];

/** As the server would refuse it, or by which level may. */
function denial({ scope }: Me, operation: Operation, of?: readonly Me['scope'][]): GatehouseError {
  const { permission, levels = of } = ACCESS[operation];
  const detail = permission === null ? undefined : `This requires the permission ${permission}.`;
  const isElsewhere = levels?.includes(scope) === false;
  const level = LEVELS.find((one) => levels?.includes(one));
  const problem: object = isElsewhere ? { code: `${level}_only` } : { code: 'permission_denied', detail };
  return new GatehouseError(403, problem as GatehouseError['problem']);
}

/** `*` is every permission, `devices:*` every one on devices. */
const holds = (permissions: readonly string[], needed: string): boolean =>
  permissions.some(
    (one) => one === '*' || one === needed || (one.endsWith(':*') && needed.startsWith(one.slice(0, -1))),
  );

/** Whether a person may call an operation, as far as its permission and its level tell. The server decides. */
export function may(me: Me, operation: Operation): boolean {
  const { permission, levels } = ACCESS[operation];
  if (levels && !levels.includes(me.scope)) return false;
  return permission === null || holds(me.permissions, permission);
}

/** The one way to ask what to offer: `can('POST /pam/rules')`. */
export function useCan(): (operation: Operation) => boolean {
  const me = useMe();
  return (operation) => may(me, operation);
}

/** Whether the caller may give something to all organisations of its partner; operators belong to no partner. */
export function useIsPartnerWide(): boolean {
  const { scope, partnerWidePolicyRights } = useMe();
  return scope === 'partner' && partnerWidePolicyRights;
}

/** Sends no call that the contract refuses to the person: pages ask for their parts without checking rights. */
export const denyAhead = (queryClient: QueryClient): void =>
  api.use({
    onRequest({ request, schemaPath }) {
      const me = queryClient.getQueryData(meQuery.queryKey);
      const operation = `${request.method} ${schemaPath}` as Operation;
      if (me && !may(me, operation)) throw denial(me, operation);
    },
  });

/** Keeps a screen from those for whom it has nothing, or who belong to another level: they are told what they lack. */
export const demand =
  (operation: Operation, ...of: readonly Me['scope'][]) =>
  async ({ context }: { readonly context: { readonly queryClient: QueryClient } }): Promise<void> => {
    const me = await context.queryClient.ensureQueryData(meQuery);
    const isElsewhere = of.length > 0 && !of.includes(me.scope);
    if (!may(me, operation) || isElsewhere) throw denial(me, operation, isElsewhere ? of : undefined);
  };
