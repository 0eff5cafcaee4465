/** The default address at the end of a single sign-on: it keeps the session and goes on to the profile. */
import { takeSsoCode } from './session.js';

await takeSsoCode().catch(() => false);
location.replace('/settings/profile');
