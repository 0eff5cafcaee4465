import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import libraryWords from '../../words/en/library.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ library: libraryWords });

export type Script = DataOf<'/scripts', 'get'>['data'][number];
export type NewScript = BodyOf<'/scripts', 'post'>;
export type CustomField = DataOf<'/custom-fields', 'get'>['data'][number];
export type NewCustomField = BodyOf<'/custom-fields', 'post'>;

const PAGE_LENGTH = 50;

export const scriptsQuery = (orgId: string | undefined, page = 1) => {
  const query = { orgId, page, limit: PAGE_LENGTH };
  return getQuery('library', '/scripts', { query, placeholderData: keepPreviousData });
};

export const createScript = (body: NewScript) => ok(api.POST('/scripts', { body }));

export const updateScript = (id: string, body: BodyOf<'/scripts/{id}', 'patch'>) =>
  ok(api.PATCH('/scripts/{id}', { params: { path: { id } }, body }));

export const deleteScript = (id: string) => ok(api.DELETE('/scripts/{id}', { params: { path: { id } } }));

export const fieldsQuery = (orgId: string | undefined, page = 1) => {
  const query = { orgId, page, limit: PAGE_LENGTH };
  return getQuery('library', '/custom-fields', { query, placeholderData: keepPreviousData });
};

export const createField = (body: NewCustomField) => ok(api.POST('/custom-fields', { body }));

export const updateField = (id: string, body: BodyOf<'/custom-fields/{id}', 'patch'>) =>
  ok(api.PATCH('/custom-fields/{id}', { params: { path: { id } }, body }));

export const deleteField = (id: string) => ok(api.DELETE('/custom-fields/{id}', { params: { path: { id } } }));

export const OWNERS = ['partner', 'organization'] as const;
/** The languages of scripts that the library names; a script may say another one. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  powershell: 'PowerShell',
  bash: 'Bash',
  python: 'Python',
  batch: 'Batch',
  ruby: 'Ruby',
  javascript: 'JavaScript',
  vbscript: 'VBScript',
};
export const ACCOUNTS = ['system', 'user'] as const;
export const TYPES = ['text', 'number', 'boolean', 'dropdown', 'date'] as const;

/** The lines of a text, without those that hold nothing. */
export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
