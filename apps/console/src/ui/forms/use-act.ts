import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of things, after which everything that the named features have read is read anew. */
export function useAct<Input, Result>(features: readonly string[], act: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => Promise.all(features.map((feature) => queryClient.invalidateQueries({ queryKey: [feature] }))),
  });
}
