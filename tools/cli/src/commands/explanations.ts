import { type DataOf, ok } from '@gatehouse/client';
import { type Command, plain } from '../command.ts';

type Explanation = DataOf<'/pam/elevation-requests/{id}/explanation', 'get'>['explanation'];
type Miss = Explanation['nearestMisses'][number];

const BASIS = {
  as_decided: 'under the rules that decided it',
  current: 'under the current rules',
} as const;

function deciderOf({ policies, matched, default: { verdict, used } }: Explanation): string {
  const policy = policies.find(({ decided }) => decided);
  if (policy) return `software policy ${policy.name}`;
  if (matched) return `rule ${matched.position}, ${matched.name}`;
  return used ? `the organisation's default, ${verdict}` : 'nothing';
}

const missLine = ({ position, name, met, of, failed }: Miss): string =>
  `  rule ${position}, ${name}: ${met} of ${of} criteria; ${failed.criterion} expected ${failed.asked}, found ${failed.seen ?? 'nothing'}`;

/** An explanation in lines. */
export function explanationText(explanation: Explanation): string {
  const { outcome, held, basis, nearestMisses, laterMatches } = explanation;
  const lines = [
    `${outcome}${held ? `, held: ${held}` : ''} (${BASIS[basis]})`,
    `decided by: ${deciderOf(explanation)}`,
    ...(nearestMisses.length > 0 ? ['came close:', ...nearestMisses.map(missLine)] : []),
    ...laterMatches.map(({ position, name }) => `came too late: rule ${position}, ${name}`),
  ];
  return lines.map(plain).join('\n');
}

export const explainRequest: Command = {
  name: 'rules explain',
  does: 'explains why a request was decided as it was',
  takes: ['request'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.GET('/pam/elevation-requests/{id}/explanation', { params: { path: { id } } }));
    return { json: answer, text: explanationText(answer.explanation) };
  },
};
