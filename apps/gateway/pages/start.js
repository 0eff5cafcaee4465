/** The default address at the end of a single sign-on: it keeps the session and goes on to the profile. */
import { isSignedIn, takeSsoCode } from './session.js';

const next = location.pathname === '/' ? '/settings/profile' : location.pathname + location.search;
const taken = await takeSsoCode().catch(() => false);
location.replace(taken || isSignedIn() ? next : '/login');
