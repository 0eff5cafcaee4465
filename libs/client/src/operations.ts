import type { paths } from './contract.ts';

type Methods<P extends keyof paths> = keyof paths[P];
type JsonIn<R> = R extends { content: { 'application/json': infer D } } ? D : never;
type Succeeded = 200 | 201 | 202;

/** What one operation answers: `DataOf<'/pam/rules', 'get'>`. */
export type DataOf<P extends keyof paths, M extends Methods<P>> = paths[P][M] extends { responses: infer R }
  ? JsonIn<R[keyof R & Succeeded]>
  : never;

/** The body that one operation takes: `BodyOf<'/pam/rules', 'post'>`. */
export type BodyOf<P extends keyof paths, M extends Methods<P>> = paths[P][M] extends { requestBody?: infer B }
  ? JsonIn<NonNullable<B>>
  : never;
