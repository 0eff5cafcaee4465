import { useAccent } from './colours.js';
import { call, IN_COOKIE, lastProvider, Problem, safePath, takeSsoCode } from './session.js';
import { assertPasskey, hasPasskeys } from './passkeys.js';
import { showReference, wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const target = safePath(parameters.get('redirect') ?? parameters.get('next'));
const STEPS = ['email-form', 'provider', 'coming', 'password-form', 'membership-form', 'mfa-form', 'link-form'];
let mfaToken;

function show(step) {
  for (const id of STEPS) $(id).hidden = id !== step;
  const first = $(step).querySelector('[data-first]:not([hidden])') ?? $(step).querySelector('button');
  first?.focus();
}

function say(text, good = false) {
  $('notice').hidden = !text;
  $('notice').classList.toggle('good', good);
  $('notice').textContent = text ?? '';
}

/** Runs the action of a form. An error is shown as text, and the form can be used again. */
async function attempt(form, work) {
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  say();
  try {
    await work();
  } catch (problem) {
    say(
      problem instanceof Problem
        ? wordsFor(problem.code, problem.message)
        : 'The service cannot be reached. Try again.',
    );
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

const on = (id, work) =>
  $(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(event.currentTarget, work);
  });

/** The cookie of the new session opens the next page. */
const goOn = () => location.replace(target);
const enter = ({ notice }) => (notice ? announce(notice) : goOn());

/** Passwords will be refused: a sign-in through the provider before that date links the account. */
function announce({ providerName, enforceAt, loginUrl }) {
  const date = new Date(enforceAt).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' });
  $('coming-text').textContent =
    `From ${date}, you sign in with ${providerName} and your password no longer works. Try it before then.`;
  $('coming-link').textContent = `Sign in with ${providerName} now`;
  $('coming-link').href = withRedirect(loginUrl);
  show('coming');
}

const withRedirect = (loginUrl) =>
  `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}redirect=${encodeURIComponent(target)}`;

function offerMemberships(memberships) {
  const buttons = memberships.map(({ id, orgName, partnerName, role }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${orgName ?? partnerName ?? 'The whole platform'} (${role})`;
    button.addEventListener('click', () => void attempt($('membership-form'), () => signIn(id)));
    return button;
  });
  $('memberships').replaceChildren(...buttons);
  show('membership-form');
}

async function signIn(membershipId) {
  const answer = await call('POST', '/auth/login', {
    email: $('email').value.trim(),
    password: $('password').value,
    membershipId,
    ...IN_COOKIE,
  });
  if (answer.membershipRequired) return offerMemberships(answer.memberships);
  if (!answer.mfaRequired) return enter(answer);
  mfaToken = answer.mfaToken;
  $('use-passkey').hidden = !(answer.methods.includes('webauthn') && hasPasskeys());
  show('mfa-form');
}

const OF_ORGANIZATION = 'Your organisation signs in with its own identity provider.';
const LAST_USED = 'You last used this identity provider in this browser.';

function offer({ providerName, loginUrl }, text) {
  $('provider-text').textContent = text;
  $('provider-link').textContent = `Continue with ${providerName}`;
  $('provider-link').href = withRedirect(loginUrl);
  $('provider-link').onclick = () => lastProvider.keep({ providerName, loginUrl });
  show('provider');
}

/** The same answer for every address: only enforced providers of verified domains are found (SSO-40). */
const discovered = async () => {
  const email = $('email').value.trim();
  return (await call('POST', '/auth/sso-discovery', { email }).catch(() => ({ sso: null }))).sso;
};

function isAddress() {
  const isValid = $('email').checkValidity();
  $('email').setAttribute('aria-invalid', String(!isValid));
  return isValid;
}

async function askPassword() {
  if (!isAddress()) return refuseAddress();
  const sso = await discovered();
  return sso ? offer(sso, OF_ORGANIZATION) : showPasswordForm();
}

function refuseAddress() {
  show('email-form');
  say('Enter your e-mail address, for example name@example.com.');
}

function showPasswordForm() {
  const address = $('email').value.trim();
  if (!isAddress()) return refuseAddress();
  $('address').textContent = address;
  $('username').value = address;
  show('password-form');
}

/** Leads to the provider of the address, or to the one that this browser used last. */
async function useSso() {
  const sso = $('email').value.trim() && isAddress() ? await discovered() : null;
  const last = lastProvider.read();
  if (sso) return offer(sso, OF_ORGANIZATION);
  if (last) return offer(last, LAST_USED);
  say('Open your organisation’s sign-in address. Your administrator can copy it from the Sign-on page.');
}

function showPassword(isShown) {
  $('password').type = isShown ? 'text' : 'password';
  $('show-password').setAttribute('aria-pressed', String(isShown));
  $('show-password').textContent = isShown ? 'Hide' : 'Show';
}

/** `/login?org=…`, the address that an administrator gives to the people of an organisation. */
async function offerOf(orgId) {
  const { ssoEnabled, provider, loginUrl } = await call('GET', `/sso/check/${encodeURIComponent(orgId)}`).catch(
    () => ({}),
  );
  if (ssoEnabled) offer({ providerName: provider.name, loginUrl }, OF_ORGANIZATION);
}

const methodOf = (code) => (/^\d{6}$/.test(code) ? 'totp' : 'recovery_code');

async function verifyCode() {
  const code = $('code').value.replaceAll(' ', '');
  enter(await call('POST', '/auth/mfa/verify', { mfaToken, code, method: methodOf(code), ...IN_COOKIE }));
}

async function confirmLink() {
  const code = $('link-code').value.replaceAll(' ', '');
  const password = $('link-password').value;
  await call('POST', '/sso/link/confirm', { password, ...(code && { code }), ...IN_COOKIE });
  goOn();
}

function brand({ branding, partnerSso }) {
  if (branding?.logoUrl) Object.assign($('logo'), { src: branding.logoUrl, hidden: false });
  if (branding?.headline) $('headline').textContent = branding.headline;
  if (branding?.accentColor) useAccent(branding.accentColor);
  if (!partnerSso) return;
  $('partner-sso').textContent = `Continue with ${partnerSso.providerName}`;
  $('partner-sso').href = withRedirect(partnerSso.loginUrl);
  $('partner-sso').onclick = () => lastProvider.keep(partnerSso);
  $('partner-sso').hidden = false;
  if (!partnerSso.enforceSSO) return;
  $('email-form').hidden = true;
  $('show-password-form').hidden = false;
}

async function begin() {
  const error = parameters.get('error');
  if (error) say(wordsFor(error));
  if (error) showReference($('notice'), parameters.get('attempt'));
  if (error === 'link_required') return show('link-form');
  if (await takeSsoCode().catch((problem) => say(wordsFor(problem.code)))) return location.replace(target);
  brand(await call('GET', '/auth/login-context').catch(() => ({})));
  $('email').focus();
  const orgId = parameters.get('org');
  if (orgId) await offerOf(orgId);
}

on('email-form', askPassword);
on('password-form', () => {
  showPassword(false);
  return signIn();
});
on('mfa-form', verifyCode);
on('link-form', confirmLink);
$('use-password').addEventListener('click', () => ($('email').value ? showPasswordForm() : show('email-form')));
$('show-password').addEventListener('click', () => showPassword($('password').type === 'password'));
for (const button of document.querySelectorAll('[data-sso]'))
  button.addEventListener('click', () => void attempt(button.closest('form'), useSso));
$('show-password-form').addEventListener('click', () => show('email-form'));
$('go-on').addEventListener('click', goOn);
$('use-passkey').addEventListener(
  'click',
  () => void attempt($('mfa-form'), () => assertPasskey(mfaToken).then(enter)),
);
$('forgot').addEventListener(
  'click',
  () =>
    void attempt($('password-form'), async () => {
      const { message } = await call('POST', '/auth/forgot-password', { email: $('email').value.trim() });
      say(message, true);
    }),
);
for (const button of document.querySelectorAll('[data-restart]'))
  button.addEventListener('click', () => show('email-form'));
void begin();
