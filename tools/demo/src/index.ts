export { Journey, StepFailed, type StepOptions } from './journey.ts';
export { ProductClient, type Answer } from './product-client.ts';
