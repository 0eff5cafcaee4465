import { call, forget, keep, Problem, restore, takeSsoCode } from './session.js';
import { assertPasskey, hasPasskeys, registerPasskey } from './passkeys.js';
import { showRecoveryCodes } from './recovery-codes.js';
import { showReference, wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
let afterStepUp;

function say(text, good = false) {
  $('notice').hidden = !text;
  $('notice').classList.toggle('good', good);
  $('notice').textContent = text ?? '';
}

/** Runs an action. If it needs a fresh second factor, asks for it and runs the action again. */
async function perform(work) {
  say();
  try {
    await work();
  } catch (problem) {
    if (problem.code === 'mfa_required') return askForStepUp(() => perform(work));
    if (['not_authenticated', 'session_revoked', 'refresh_token_invalid', 'token_invalid'].includes(problem.code))
      return leave();
    say(
      problem instanceof Problem
        ? wordsFor(problem.code, problem.message)
        : 'The service cannot be reached. Try again.',
    );
  }
}

function leave() {
  forget();
  location.replace(`/login?redirect=${encodeURIComponent('/settings/profile')}`);
}

function askForStepUp(next) {
  afterStepUp = next;
  $('step-up').hidden = false;
  $('step-up-passkey').hidden = !hasPasskeys();
  $('step-up-code').focus();
}

async function steppedUp(tokens) {
  keep(tokens);
  $('step-up').hidden = true;
  $('step-up-code').value = '';
  await showAccount();
  await afterStepUp?.();
}

async function showAccount() {
  const { user, scope, mfa } = await call('GET', '/auth/me');
  $('who').textContent = user.name;
  $('reach').textContent = `${user.email} · ${scope} scope`;
  $('mfa-state').textContent = mfa.satisfied
    ? 'Your second factor is confirmed.'
    : mfa.enrolled
      ? 'Your second factor is not confirmed in this session.'
      : 'You have no second factor yet.';
  $('totp-offer').hidden = mfa.enrolled;
  $('add-passkey').hidden = !hasPasskeys();
}

function linkRow({ providerId, id = providerId, name, linked }) {
  const row = document.createElement('li');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.textContent = linked ? 'Unlink' : 'Link';
  button.setAttribute('aria-label', `${button.textContent} ${name}`);
  button.addEventListener('click', () => void perform(() => (linked ? unlink(id) : startLink(id))));
  row.append(linked ? `${name} (linked)` : name, button);
  return row;
}

async function showLinks() {
  const { data } = await call('GET', '/sso/link/options');
  $('links').replaceChildren(...data.map(linkRow));
  $('no-links').hidden = data.length > 0;
}

async function startLink(id) {
  const { authUrl } = await call('POST', `/sso/link/start/${id}`, {});
  location.assign(authUrl);
}

async function unlink(id) {
  await call('DELETE', `/sso/link/${id}`);
  await showLinks();
}

/** Black on white in both colour schemes, with a quiet zone: many apps cannot read light codes on dark ground. */
async function showQrCode(address) {
  const { renderSVG } = await import('./uqr.js');
  const svg = new DOMParser().parseFromString(renderSVG(address, { border: 4 }), 'image/svg+xml').documentElement;
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'QR code of the key below');
  $('totp-qr').replaceChildren(document.importNode(svg, true));
}

async function enrol() {
  const { secret, otpauthUrl } = await call('POST', '/auth/mfa/totp/enroll', {});
  $('totp-offer').hidden = true;
  $('totp-form').hidden = false;
  await showQrCode(otpauthUrl).catch(() => $('totp-qr').replaceChildren());
  $('totp-secret').textContent = secret;
  $('totp-link').href = otpauthUrl;
  $('totp-code').focus();
}

async function confirmTotp() {
  const answer = await call('POST', '/auth/mfa/totp/confirm', { code: $('totp-code').value.trim() });
  keep(answer);
  $('totp-form').hidden = true;
  showRecoveryCodes(answer.recoveryCodes, say);
  await showAccount();
}

const on = (id, event, work) =>
  $(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    void perform(work);
  });

on('enrol', 'click', enrol);
on('totp-form', 'submit', confirmTotp);
on('step-up-form', 'submit', async () =>
  steppedUp(await call('POST', '/auth/mfa/step-up', { code: $('step-up-code').value.replaceAll(' ', '') })),
);
on('step-up-passkey', 'click', async () => steppedUp(await assertPasskey()));
on('add-passkey', 'click', async () => {
  const answer = await registerPasskey('Passkey');
  if (answer.accessToken) keep(answer);
  say('Passkey added.', true);
  await showAccount();
});
on('sign-out', 'click', async () => {
  await call('POST', '/auth/logout', {}).catch(() => undefined);
  forget();
  location.replace('/login');
});

async function begin() {
  if (!(await takeSsoCode())) await restore();
  await showAccount();
  await showLinks();
  const error = parameters.get('ssoLinkError');
  if (error) {
    say(wordsFor(error));
    showReference($('notice'), parameters.get('attempt'));
  }
  if (!error && parameters.has('ssoLinked'))
    say('Your account has been linked. You can now sign in with this provider.', true);
}

void perform(begin);
