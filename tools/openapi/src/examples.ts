import { existsSync, readFileSync } from 'node:fs';
import { type Contract, type Operation, routesOf } from './contract.ts';

interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const JSON_TYPE = 'application/json';
const PREFIX = '/api/v1';

/** Adds a real request and answer to each operation; the end-to-end tests record them in the file. */
export function addExamples(contract: Contract, path: string): void {
  if (!existsSync(path)) return;
  const examples = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Example>>;
  for (const { method, path: address, operation } of routesOf(contract)) {
    const example = examples[`${method} ${address.replace(PREFIX, '')}`];
    if (example) addExample(operation, example);
  }
}

function addExample(operation: Operation, { request, status, answer }: Example): void {
  const taken = operation.requestBody?.content[JSON_TYPE];
  if (taken && request !== undefined) Object.assign(taken, { example: request });
  const response = operation.responses[status];
  const given = response && 'content' in response ? response.content?.[JSON_TYPE] : undefined;
  if (given) given['example'] = answer;
}
