import { startDevIdp } from '@gatehouse/dev-idp';
import { serveParent } from './child.ts';

const { issuer, clientId, clientSecret } = await startDevIdp({ autoLogin: true });
serveParent({ issuer, clientId, clientSecret });
