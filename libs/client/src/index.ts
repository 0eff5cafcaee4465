export type { components, paths } from './contract.ts';
export type { BodyOf, DataOf } from './gatehouse.ts';
export {
  createGatehouse,
  type Gatehouse,
  type GatehouseOptions,
  type SignInRequest,
  type SignInResult,
} from './gatehouse.ts';
export { type CodesOf, GatehouseError, ok, type Problem, type ProblemCode, type ProblemsOf } from './problems.ts';
export { memoryTokens, type Tokens, type TokenStore } from './tokens.ts';
export { chain, codeOf, type Layer, type Send } from './layers/layer.ts';
export { retries, type RetryOptions } from './layers/retries.ts';
