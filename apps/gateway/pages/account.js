/** Two pages in one: accepting an invitation, and choosing a new password after a reset mail. */
import { lengthFault, PASSWORD_RULE } from './passwords.js';
import { call, IN_COOKIE, Problem } from './session.js';
import { wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get('token') ?? '';
const isInvitation = location.pathname === '/accept-invite';

function say(text, good = false) {
  $('notice').hidden = false;
  $('notice').classList.toggle('good', good);
  $('notice').textContent = text;
}

/** Says why the password was refused, with the whole rule, and returns to its field. */
function refuse(reason) {
  say(`${reason} ${PASSWORD_RULE}`);
  $('password').setAttribute('aria-invalid', 'true');
  $('password').focus();
}

function explain(problem) {
  if (!(problem instanceof Problem)) return say('The service cannot be reached. Please try again.');
  const isAboutPassword = ['password_too_common', 'validation_failed'].includes(problem.code);
  return isAboutPassword ? refuse(problem.message) : say(wordsFor(problem.code, problem.message));
}

async function save() {
  const password = $('password').value;
  const fault = lengthFault(password);
  if (fault) return refuse(fault);
  const name = $('name').value.trim();
  if (isInvitation) {
    await call('POST', '/auth/accept-invite', { token, password, ...(name && { name }), ...IN_COOKIE });
    return location.replace('/');
  }
  await call('POST', '/auth/reset-password', { token, password });
  $('password-form').hidden = true;
  say('If the link was still good, the password is changed. You can sign in now.', true);
}

$('password-rule').textContent = PASSWORD_RULE;
$('name-field').hidden = !isInvitation;
$('headline').textContent = isInvitation ? 'Welcome to Gatehouse' : 'Choose a new password';
$('password-form').addEventListener('submit', (event) => {
  event.preventDefault();
  $('password').removeAttribute('aria-invalid');
  save().catch(explain);
});
