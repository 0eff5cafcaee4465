import { has, type UserCaller } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';
import { isKnownToBe } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';

interface Asked {
  readonly id: string;
  readonly requestedBy: string | null;
  readonly subjectUsername: string | null;
}

/** Says of a request whether a caller may read its command line and its tool's input. */
export type InputReader = (request: Asked) => boolean;

const ASKED_AMONG = `
  SELECT a.elevation_request_id AS id FROM approvals a WHERE a.user_id = $1 AND a.elevation_request_id = ANY ($2::uuid[])`;

/**
 * Who reads command lines and the input of tools, which may hold secrets (PAM-305): those who may write rules about
 * them, the people who were asked to approve the request, and the person whose request it is. Others see the length.
 */
@Injectable()
export class InputReaders {
  async of(reader: Reader, caller: UserCaller, requests: readonly Asked[]): Promise<InputReader> {
    if (has(caller, 'devices:write')) return () => true;
    const isOwn: InputReader = ({ requestedBy, subjectUsername }) =>
      requestedBy === caller.userId || isKnownToBe(caller, subjectUsername);
    const ids = requests.filter((request) => !isOwn(request)).map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await reader.query<{ id: string }>(ASKED_AMONG, [caller.userId, ids]);
    const asked = new Set(rows.map(({ id }) => id));
    return (request) => isOwn(request) || asked.has(request.id);
  }
}
