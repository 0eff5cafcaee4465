export { DEMO_USERS, type DevUser } from './dev-users.ts';
export type { DevClient } from './oidc/dev-oidc.ts';
export { DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, startDevIdp, type DevIdp, type DevIdpOptions } from './start-dev-idp.ts';
export { breakSignature } from './scripted/id-token.ts';
export type { Claims, Endpoint, IdTokenScript, Reply, Script } from './scripted/script.ts';
export { startScriptedIdp, type ScriptedIdp, type ScriptedIdpOptions } from './scripted/start-scripted-idp.ts';
export { signInAs } from './sign-in-as.ts';
