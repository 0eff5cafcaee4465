/** Two pages in one: accepting an invitation, and choosing a new password after a reset mail. */
import { lengthFault, PASSWORD_RULE } from './passwords.js';
import { call, IN_COOKIE, Problem } from './session.js';
import { wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get('token') ?? '';
const isInvitation = location.pathname === '/accept-invite';
let hasPassword = false;
/** A name whose direction of writing does not reach the words around it. */
const isolated = (name) => `\u2068${name}\u2069`;

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
  if (!(problem instanceof Problem)) return say('The service cannot be reached. Try again.');
  const isAboutPassword = ['password_too_common', 'validation_failed'].includes(problem.code);
  return isAboutPassword ? refuse(problem.message) : say(wordsFor(problem.code, problem.message));
}

/** Opens what a new account wants next: a second factor, which approvals and changes ask for. */
function offerFactor() {
  $('password-form').hidden = true;
  $('invitation').hidden = true;
  $('headline').textContent = 'Your account is ready';
  $('next').hidden = false;
  $('factor').focus();
}

async function save() {
  const password = $('password').value;
  const fault = hasPassword ? null : lengthFault(password);
  if (fault) return refuse(fault);
  if (isInvitation) {
    const { mfaRequired } = await call('POST', '/auth/accept-invite', { token, password, ...IN_COOKIE });
    return hasPassword || mfaRequired ? location.replace('/') : offerFactor();
  }
  await call('POST', '/auth/reset-password', { token, password });
  $('password-form').hidden = true;
  say('If the link was still valid, your password is changed. You can sign in now.', true);
}

/** Shows who invites whom to what; a person with an account confirms with the password that it has. */
async function showInvitation() {
  const offer = await call('POST', '/auth/invitation', { token });
  hasPassword = offer.hasPassword;
  const place = offer.place ? ` to ${isolated(offer.place)}` : '';
  $('invitation').textContent = `${isolated(offer.invitedBy)} invites you${place}.`;
  $('email').value = offer.email;
  $('invitation').hidden = false;
  $('email-field').hidden = false;
  $('password-rule').hidden = hasPassword;
  $('password-label').textContent = hasPassword ? 'Your password' : 'New password';
  $('password').autocomplete = hasPassword ? 'current-password' : 'new-password';
  $('submit').textContent = 'Accept invitation';
  if (offer.name) $('headline').textContent = `Welcome, ${isolated(offer.name)}`;
}

$('password-rule').textContent = PASSWORD_RULE;
$('headline').textContent = isInvitation ? 'Welcome to Gatehouse' : 'Choose a new password';
if (isInvitation) {
  document.title = 'Invitation · Gatehouse';
  showInvitation().catch((problem) => {
    if (problem.code === 'invitation_invalid') $('password-form').hidden = true;
    explain(problem);
  });
}
$('password-form').addEventListener('submit', (event) => {
  event.preventDefault();
  $('notice').hidden = true;
  $('password').removeAttribute('aria-invalid');
  save().catch(explain);
});
