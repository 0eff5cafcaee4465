import { useAccent } from './colours.js';
import { call, IN_COOKIE, Problem, safePath, takeSsoCode } from './session.js';
import { assertPasskey, hasPasskeys } from './passkeys.js';
import { showReference, wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const target = safePath(parameters.get('redirect') ?? parameters.get('next'));
const STEPS = ['email-form', 'provider', 'password-form', 'membership-form', 'mfa-form', 'link-form'];
let mfaToken;

function show(step) {
  for (const id of STEPS) $(id).hidden = id !== step;
  $(step).querySelector('input, a, button')?.focus();
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
        : 'The service cannot be reached. Please try again.',
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
const enter = () => location.replace(target);

const withRedirect = (loginUrl) =>
  `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}redirect=${encodeURIComponent(target)}`;

function offerMemberships(memberships) {
  const buttons = memberships.map(({ id, orgName, partnerName, role }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${orgName ?? partnerName ?? 'The whole system'} (${role})`;
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
  if (!answer.mfaRequired) return enter();
  mfaToken = answer.mfaToken;
  $('use-passkey').hidden = !(answer.methods.includes('webauthn') && hasPasskeys());
  show('mfa-form');
}

async function discover() {
  const email = $('email').value.trim();
  const { sso } = await call('POST', '/auth/sso-discovery', { email }).catch(() => ({ sso: null }));
  if (!sso) return show('password-form');
  $('provider-link').textContent = `Continue with ${sso.providerName}`;
  $('provider-link').href = withRedirect(sso.loginUrl);
  show('provider');
}

const methodOf = (code) => (/^\d{6}$/.test(code) ? 'totp' : 'recovery_code');

async function verifyCode() {
  const code = $('code').value.replaceAll(' ', '');
  await call('POST', '/auth/mfa/verify', { mfaToken, code, method: methodOf(code), ...IN_COOKIE });
  enter();
}

async function confirmLink() {
  const code = $('link-code').value.replaceAll(' ', '');
  const password = $('link-password').value;
  await call('POST', '/sso/link/confirm', { password, ...(code && { code }), ...IN_COOKIE });
  enter();
}

function brand({ branding, partnerSso }) {
  if (branding?.logoUrl) Object.assign($('logo'), { src: branding.logoUrl, hidden: false });
  if (branding?.headline) $('headline').textContent = branding.headline;
  if (branding?.accentColor) useAccent(branding.accentColor);
  if (!partnerSso) return;
  $('partner-sso').textContent = `Continue with ${partnerSso.providerName}`;
  $('partner-sso').href = withRedirect(partnerSso.loginUrl);
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
}

on('email-form', discover);
on('password-form', () => signIn());
on('mfa-form', verifyCode);
on('link-form', confirmLink);
$('use-password').addEventListener('click', () => show('password-form'));
$('show-password-form').addEventListener('click', () => show('email-form'));
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
