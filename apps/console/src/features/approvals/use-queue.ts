import { useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import type { ElevationRequest } from '../../ui/elevation/request.ts';
import { afterDeciding, afterReading, EMPTY, type Queue, withArrived } from './model.ts';
import { queueQuery } from './queries.ts';

type Step =
  | { readonly kind: 'read'; readonly list: readonly ElevationRequest[]; readonly total: number }
  | { readonly kind: 'decided'; readonly id: string }
  | { readonly kind: 'show' };

function reduce(queue: Queue, step: Step): Queue {
  if (step.kind === 'read') return afterReading(queue, step.list, serverNow(), step.total);
  return step.kind === 'decided' ? afterDeciding(queue, step.id, serverNow()) : withArrived(queue);
}

const SWEEP_MS = 1000;

/** The queue on screen: it follows the server without moving a row. */
export function useQueue(filter: Parameters<typeof queueQuery>[0]) {
  const query = useQuery(queueQuery(filter));
  const list = query.data?.requests;
  const total = query.data?.pagination.total ?? 0;
  // What is known already stands in the first paint.
  const [queue, step] = useReducer(reduce, list, (known) => (known ? afterReading(EMPTY, known, serverNow()) : EMPTY));
  const [, sweep] = useState(0);
  useEffect(() => {
    if (list) step({ kind: 'read', list, total });
  }, [list, total]);
  const settled = queue.rows.some(({ settledAt }) => settledAt !== null);
  useEffect(() => {
    if (!settled || !list) return undefined;
    const timer = setInterval(() => {
      step({ kind: 'read', list, total });
      sweep((count) => count + 1);
    }, SWEEP_MS);
    return () => clearInterval(timer);
  }, [settled, list, total]);
  return {
    query,
    queue,
    total,
    show: () => step({ kind: 'show' }),
    decided: (id: string) => step({ kind: 'decided', id }),
  };
}
