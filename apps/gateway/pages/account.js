/** Two pages in one: accepting an invitation, and choosing a new password after a reset mail. */
import { call, keep, Problem } from './session.js';

const $ = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get('token') ?? '';
const isInvitation = location.pathname === '/accept-invite';

function say(text, good = false) {
  $('notice').hidden = false;
  $('notice').classList.toggle('good', good);
  $('notice').textContent = text;
}

async function save() {
  const password = $('password').value;
  const name = $('name').value.trim();
  if (isInvitation) {
    keep(await call('POST', '/auth/accept-invite', { token, password, ...(name && { name }) }));
    return location.replace('/settings/profile');
  }
  await call('POST', '/auth/reset-password', { token, password });
  $('password-form').hidden = true;
  say('If the link was still good, the password is changed. You can sign in now.', true);
}

$('name-field').hidden = !isInvitation;
$('headline').textContent = isInvitation ? 'Welcome to Gatehouse' : 'Choose a new password';
$('password-form').addEventListener('submit', (event) => {
  event.preventDefault();
  save().catch((problem) =>
    say(problem instanceof Problem ? problem.message : 'The service cannot be reached. Please try again.'),
  );
});
