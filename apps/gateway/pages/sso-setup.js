/**
 * The page behind a set-up link: the administrator of an identity provider, who has no account here, sets up single
 * sign-on, or renews the certificate or the secret of a provider. The link's token is in the fragment, and the visit's
 * token rests in this tab.
 */
import { useAccent } from './colours.js';
import { wordsFor } from './words.js';

const $ = (id) => document.getElementById(id);
const KEPT = 'gatehouse-setup-visit';
const OTHERS = [
  {
    name: 'Another provider, with OpenID Connect',
    type: 'oidc',
    steps: ['Register a web application with the redirect URI below, and copy its client ID and secret.'],
  },
  {
    name: 'Another provider, with SAML',
    type: 'saml',
    steps: [
      'Register a SAML 2.0 application with the values below.',
      'Sign assertions with SHA-256 or better. Encryption can use AES-GCM and RSA-OAEP; CBC is rejected.',
    ],
  },
].map((other) => ({ id: '', placeholders: [], ...other }));
const ADDRESSES = {
  oidc: [['callbackUrl', 'Redirect URI']],
  saml: [
    ['acsUrl', 'Assertion consumer service (reply address)'],
    ['entityId', 'Entity ID (audience)'],
    ['metadataUrl', 'Our metadata'],
  ],
};
const PLACEHOLDERS = {
  tenant: 'Directory (tenant) ID',
  domain: 'Account name (before the provider’s domain)',
};
const STEPS = {
  start: 'Request sent to your provider',
  callback: 'Response received',
  token: 'Client ID and secret accepted',
  signature: 'Signature valid',
  claims: 'User identified',
  mapping: 'E-mail address received',
  domain: 'Mail domain allowed',
  account: 'Account',
  role: 'Role',
  mfa: 'Second factor',
};
const SIGNS = { ok: '✓', noted: '–', failed: '✗' };
const HINTS = {
  idp_unreachable: 'Your provider could not be reached. Check its addresses.',
  client_rejected: 'Check the client ID and the client secret.',
  code_rejected: 'Your provider rejected the code. Enter our redirect URI there exactly as shown above, and no other.',
  provider_error: 'Your provider rejected the request. Check the redirect URI there, and who can use the application.',
  email_missing: 'Your provider sent no e-mail address. Add it to the claims of the application.',
  subject_missing: 'Your provider sent no user ID.',
  signature_invalid: 'The response is signed with another key. Check the certificate.',
  audience_mismatch: 'The response is for another application. Check the client ID or the entity ID.',
  issuer_mismatch: 'The response comes from another provider. Check the issuer or the entity ID.',
  assertion_encrypted:
    'The response cannot be decrypted. Turn encryption off at your provider, or choose AES-GCM there.',
  attribute_ambiguous: 'Your provider sent two attributes with the same friendly name.',
  email_unverified: 'Your provider does not mark the e-mail address as verified.',
  domain_not_verified: 'Verify the mail domain above first.',
  domain_not_allowed: 'The mail domain is not allowed to sign in. Test with another address.',
  proof_required: 'The person would have to confirm the account here once.',
  mfa_not_trusted: 'Users confirm their second factor here.',
  mfa_not_proven: 'Your provider confirmed no accepted second factor. Until it does, users confirm one here.',
};
const MISSING = {
  configured: 'the settings of your provider',
  domainVerified: 'a verified mail domain',
  tested: 'a successful test sign-in with the current settings',
};
const WAITS = 'The certificate is awaiting approval. The administrators have been notified.';
const CLOSED = 'This link is no longer valid. Ask the person who sent it to you for a new one.';

let view = null;
let presets = [];
/** The address from which the metadata were read: the product watches it from then on. */
let watched = null;

/** @throws Error with `code` of the problem, or without one if the service cannot be reached */
async function call(method, path, body) {
  const visit = sessionStorage.getItem(KEPT);
  const response = await fetch(`/api/v1/sso/setup${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(visit && { authorization: `Bearer ${visit}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.detail ?? 'Something went wrong.'), answer);
  return answer.data;
}

function say(text, good = false) {
  $('notice').hidden = false;
  $('notice').classList.toggle('good', good);
  $('notice').textContent = text;
  $('notice').focus();
}

function close(text, good = false) {
  sessionStorage.removeItem(KEPT);
  for (const id of ['steps', 'code-form', 'intro']) $(id).hidden = true;
  say(text, good);
}

const FIELDS = { clientSecret: 'Client secret', clientId: 'Client ID', ssoUrl: 'Sign-in address' };

function explain(problem) {
  if (problem.code === undefined) return say('The service cannot be reached. Try again.');
  if (['setup_link_invalid', 'token_invalid', 'not_authenticated'].includes(problem.code)) return close(CLOSED);
  const [issue] = problem.issues ?? [];
  if (issue) return say(`${FIELDS[issue.path] ?? issue.path}: ${issue.message}.`);
  return say(problem.code === 'rate_limited' ? wordsFor(problem.code) : problem.message);
}

const run = (work) => (event) => {
  event?.preventDefault();
  $('notice').hidden = true;
  return work().catch(explain);
};

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** A value, or what stands for it, with its name and a button that copies the value. */
function copyRow(name, value, shown = value) {
  const row = element('div');
  const line = element('div', undefined, 'with-button');
  const button = element('button', 'Copy', 'small');
  button.type = 'button';
  button.setAttribute('aria-label', `Copy: ${name}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(value);
    button.textContent = 'Copied';
  });
  line.append(element('code', shown), button);
  row.append(element('p', name, 'muted'), line);
  return row;
}

const chosen = () => presets[$('preset').selectedIndex];

function showPreset() {
  const { type, steps, placeholders, issuerTemplate } = chosen();
  const { callbackUrl, acsUrl, entityId, metadataUrl } = view.copyValues;
  const own = { callback_url: callbackUrl, acs_url: acsUrl, entity_id: entityId, metadata_url: metadataUrl };
  const filled = steps.map((step) => step.replace(/\{(\w+)\}/g, (whole, name) => own[name] ?? whole));
  $('guide').replaceChildren(...filled.map((step) => element('li', step)));
  $('addresses').replaceChildren(...ADDRESSES[type].map(([key, name]) => copyRow(name, view.copyValues[key])));
  const encryption = type === 'saml' && view.provider?.encryptionCertificate;
  if (encryption) $('addresses').append(copyRow('Our certificate for encryption (optional)', encryption, 'PEM'));
  $('oidc-fields').hidden = type !== 'oidc';
  $('saml-fields').hidden = type !== 'saml';
  const asked = type === 'oidc' && !view.provider ? placeholders : [];
  $('placeholders').replaceChildren(
    ...asked.flatMap((name) => {
      const label = element('label', PLACEHOLDERS[name] ?? name);
      const input = element('input');
      Object.assign(input, { id: `placeholder-${name}`, spellcheck: false, autocapitalize: 'none' });
      label.htmlFor = input.id;
      return [label, input];
    }),
  );
  $('issuer-field').hidden = asked.length > 0;
  if (issuerTemplate && asked.length === 0 && !view.provider) $('issuer').value = issuerTemplate;
}

function issuer() {
  const asked = [...$('placeholders').querySelectorAll('input')];
  if (asked.length === 0) return $('issuer').value.trim();
  return asked.reduce(
    (text, input) => text.replace(`{${input.id.replace('placeholder-', '')}}`, input.value.trim()),
    chosen().issuerTemplate,
  );
}

const value = (field) => $(field).value.trim();
const renews = () => view.purpose === 'renew';
const dayOf = (instant) => instant?.slice(0, 10) ?? '';

/** The secret, if there is another one, and its end, if it is another. */
function secret() {
  const [clientSecret, day] = [value('clientSecret'), value('clientSecretExpiresAt')];
  const isNew = clientSecret || day !== dayOf(view.provider?.clientSecretExpiresAt);
  return {
    ...(clientSecret && { clientSecret }),
    ...(isNew && { clientSecretExpiresAt: day ? `${day}T00:00:00Z` : null }),
  };
}

/** Only what is renewed. */
function renewal() {
  const { type, metadataUrl, configVersion } = view.provider;
  if (type === 'oidc') return { ...secret(), configVersion };
  return {
    ...(value('certificate') && { certificate: value('certificate') }),
    ...(watched && watched !== metadataUrl && { metadataUrl: watched }),
    configVersion,
  };
}

function settings() {
  const { id, type, name } = chosen();
  const own =
    type === 'oidc'
      ? {
          issuer: issuer(),
          clientId: value('clientId'),
          ...secret(),
        }
      : {
          entityId: value('entityId'),
          ssoUrl: value('ssoUrl'),
          certificate: value('certificate'),
          ...(watched && { metadataUrl: watched }),
        };
  return {
    type,
    preset: id || null,
    ...(id && { name }),
    ...own,
    ...(view.provider && { configVersion: view.provider.configVersion }),
  };
}

function domainRow({ id, domain, verified, recordName, recordValue }) {
  const row = element('div');
  row.append(element('h3', `${domain}${verified ? ' ✓' : ''}`));
  if (verified) return row;
  row.append(element('p', 'Add this TXT record to its DNS, then check it. It can take minutes to become visible.'));
  row.append(copyRow('Record name', recordName), copyRow('Record value', recordValue));
  const button = element('button', `Check ${domain}`, 'small');
  button.type = 'button';
  button.addEventListener(
    'click',
    run(async () => {
      await call('POST', `/domains/${id}/verify`, {});
      await reload();
    }),
  );
  row.append(button);
  return row;
}

const mark = (done) => (done ? '✓ done' : '');

/** Leaves of the page what may be renewed. */
function showRenewal({ certificates, name }) {
  for (const each of document.querySelectorAll('[data-configure]')) each.hidden = true;
  $('headline').textContent = `Renew ${name}`;
  $('intro').textContent = 'Enter your provider’s new values. Nothing else about single sign-on changes.';
  $('certificate').value = '';
  $('trusted').hidden = certificates.length === 0;
  $('trusted').textContent =
    `Trusted certificates, valid until: ${certificates.map(({ notAfter }) => dayOf(notAfter)).join(', ')}.`;
  $('settings-done').textContent = view.awaitsApproval ? 'awaiting approval' : '';
}

function show(next) {
  view = next;
  const { steps, missing, provider, branding } = view;
  $('steps').hidden = false;
  $('intro').hidden = false;
  const owner = view.organizationName ?? view.partnerName;
  $('intro').textContent = `For ${owner}, in five steps. You can close this page and open your link again at any time.`;
  if (branding?.accentColor) useAccent(branding.accentColor);
  if (branding?.logoUrl) Object.assign($('logo'), { src: branding.logoUrl, hidden: false });
  for (const field of ['issuer', 'clientId', 'entityId', 'ssoUrl', 'certificate'])
    if (provider) $(field).value = provider[field] ?? '';
  watched = provider?.metadataUrl ?? null;
  $('clientSecret').value = '';
  $('clientSecretExpiresAt').value = dayOf(provider?.clientSecretExpiresAt);
  $('secret-kept').hidden = !provider?.hasClientSecret;
  $('settings-done').textContent = mark(steps.configured);
  $('domain-card').hidden = view.organizationName === null;
  $('domain-done').textContent = mark(steps.domainVerified);
  $('domains').replaceChildren(...view.domains.map(domainRow));
  $('test-done').textContent = mark(steps.tested);
  $('test').disabled = !steps.configured;
  $('activate-field').hidden = !view.mayActivate;
  $('finish').disabled = missing.length > 0;
  $('missing').textContent =
    missing.length > 0
      ? `Still missing: ${missing.map((step) => MISSING[step]).join('; ')}.`
      : 'Everything is complete.';
  showPreset();
  if (renews()) showRenewal(provider);
}

async function reload() {
  show(await call('GET', ''));
}

function choosePresets() {
  const { presets: known, examples, type, preset, provider } = view;
  presets = [...known, ...OTHERS, ...examples.map((example) => ({ id: '', placeholders: [], ...example }))].filter(
    (each) => type === null || each.type === type,
  );
  $('preset').replaceChildren(...presets.map(({ name }) => element('option', name)));
  const own = provider?.preset ?? preset ?? '';
  const wanted = presets.findIndex((each) => each.id === own && (!provider || each.type === provider.type));
  $('preset').selectedIndex = Math.max(0, own || provider ? wanted : 0);
}

/** What a step saw, in so far as it tells what to change at the provider. */
const SEEN = {
  claims: ({ claims }) => claims && `Received: ${Object.keys(claims).join(', ')}.`,
  mfa: ({ trusted, lookedFor, seen }) =>
    trusted && `Expected: ${lookedFor.join(', ')}. Received: ${JSON.stringify(seen)}.`,
};

function traceRow({ step, outcome, code, detail, facts }) {
  const row = element('li', `${SIGNS[outcome]} ${STEPS[step]}`);
  const hint = outcome === 'ok' ? '' : (HINTS[code] ?? (detail || code));
  for (const text of [hint, SEEN[step]?.(facts)]) if (text) row.append(element('p', text, 'muted'));
  return row;
}

async function showTest(id) {
  const { status, attempt } = await call('GET', `/test-sign-ins/${encodeURIComponent(id)}`);
  if (!attempt) return say(status === 'waiting' ? 'The test has not finished yet.' : 'The test took too long.');
  const rows = attempt.trace.steps.filter(({ step, outcome }) => STEPS[step] && outcome !== 'skipped');
  const list = element('ul', undefined, 'trace');
  list.append(...rows.map(traceRow));
  const toDomain = attempt.trace.steps.slice(
    0,
    attempt.trace.steps.findIndex(({ step }) => step === 'account'),
  );
  const worked = toDomain.every(({ outcome }) => outcome === 'ok');
  const title = worked ? 'The test sign-in succeeded.' : 'The test sign-in failed:';
  $('result').replaceChildren(element('p', title), list);
  $('result').scrollIntoView();
}

async function enter() {
  await call('GET', '').then((first) => {
    view = first;
    choosePresets();
    show(first);
  });
  const attempt = new URLSearchParams(location.search).get('attempt');
  history.replaceState(null, '', '/sso-setup');
  if (attempt) await showTest(attempt);
}

async function open(code) {
  const token = location.hash.slice(1);
  if (!token && sessionStorage.getItem(KEPT)) return enter();
  if (!token) return close('Open this page with the full link that you were sent.');
  const { visitToken } = await call('POST', '/visits', { token, ...(code && { code }) });
  if (!visitToken) {
    $('code-form').hidden = false;
    return $('code').focus();
  }
  sessionStorage.setItem(KEPT, visitToken);
  $('code-form').hidden = true;
  return enter();
}

$('code-form').addEventListener(
  'submit',
  run(() => open($('code').value.replaceAll(/\s/g, ''))),
);
$('new-code').addEventListener(
  'click',
  run(() => open()),
);
$('preset').addEventListener('change', showPreset);
$('settings-form').addEventListener(
  'submit',
  run(async () => {
    show(await call('PUT', '/provider', renews() ? renewal() : settings()));
    say(renews() && view.awaitsApproval ? WAITS : 'Saved.', true);
  }),
);
$('read-metadata').addEventListener(
  'click',
  run(async () => {
    const text = $('metadata').value.trim();
    const read = await call('POST', '/metadata', {
      ...(text.startsWith('<') ? { xml: text } : { url: text }),
      withPem: true,
    });
    watched = text.startsWith('<') ? null : text;
    $('entityId').value = read.entityId;
    $('ssoUrl').value = read.ssoUrl;
    $('certificate').value = read.certificates
      .slice(0, 2)
      .map(({ pem }) => pem.trim())
      .join('\n');
    say('Metadata loaded. Save to apply it.', true);
  }),
);
$('domain-form').addEventListener(
  'submit',
  run(async () => {
    await call('POST', '/domains', { domain: $('domain').value.trim() });
    $('domain').value = '';
    await reload();
  }),
);
$('test').addEventListener(
  'click',
  run(async () => location.assign((await call('POST', '/test-sign-ins', {})).url)),
);
$('finish').addEventListener(
  'click',
  run(async () => {
    const { provider } = await call('POST', '/complete', { activate: view.mayActivate && $('activate').checked });
    if (renews()) return close('The renewal is complete. You can close this page.', true);
    const next =
      provider.status === 'active'
        ? 'Users can sign in with it now.'
        : 'The person who sent you the link will activate it.';
    close(`Single sign-on is set up. ${next} You can close this page.`, true);
  }),
);

run(() => open())();
