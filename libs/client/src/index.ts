export type { components, paths } from './contract.ts';
export { CRITERIA } from './contract-tables.ts';
export type { BodyOf, DataOf } from './gatehouse.ts';
export {
  createGatehouse,
  type Gatehouse,
  type GatehouseOptions,
  type SignInRequest,
  type SignInResult,
} from './gatehouse.ts';
export { type CodesOf, GatehouseError, ok, type Problem, type ProblemCode, type ProblemsOf } from './problems.ts';
export { memoryTokens, type Tokens, type TokenStore } from './layers.ts';
export { chain, codeOf, retries, type Layer, type RetryOptions, type Send } from './layers.ts';
