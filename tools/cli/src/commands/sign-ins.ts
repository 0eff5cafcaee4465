import { ok } from '@gatehouse/client';
import { type Command, facts, oneOf, optional, table, textOption } from '../command.ts';

const RESULTS = ['success', 'parked', 'refused'] as const;
const KINDS = ['sign_in', 'link', 'test'] as const;

const list: Command = {
  name: 'sign-ins list',
  does: 'lists sign-ins through identity providers, newest first',
  options: { org: textOption, provider: textOption, email: textOption, kind: textOption, result: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = {
      orgId: optional(options, 'org'),
      providerId: optional(options, 'provider'),
      email: optional(options, 'email'),
      kind: oneOf(options, 'kind', KINDS),
      result: oneOf(options, 'result', RESULTS),
    };
    const answer = await ok(gatehouse.GET('/sso/attempts', { params: { query } }));
    const rows = answer.data.map(({ id, createdAt, email, result, code, providerName }) => [
      id,
      createdAt,
      email,
      result,
      code,
      providerName,
    ]);
    return { json: answer, text: table(['reference', 'at', 'address', 'result', 'reason', 'provider'], rows) };
  },
};

const show: Command = {
  name: 'sign-ins show',
  does: 'shows the steps of a sign-in, by the reference shown on the sign-in page',
  takes: ['reference'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.GET('/sso/attempts/{id}', { params: { path: { id } } }));
    const { trace, ...attempt } = answer.data;
    const head = facts([
      ['at', attempt.createdAt],
      ['address', attempt.email],
      ['provider', attempt.providerName],
      ['verdict', trace.verdict],
      ['reason', trace.code],
    ]);
    const steps = trace.steps.map(({ step, outcome, code, detail }) => [step, outcome, code, detail]);
    return { json: answer, text: `${head}\n\n${table(['step', 'outcome', 'reason', 'detail'], steps)}` };
  },
};

export const SIGN_IN_COMMANDS: readonly Command[] = [list, show];
