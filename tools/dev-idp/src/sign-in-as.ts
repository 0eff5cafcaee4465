const MAX_STEPS = 10;

/** Where the provider sends the browser: an address, or a form to post there. It is not fetched. */
export interface WayBack {
  readonly url: string;
  readonly form?: URLSearchParams;
}

/**
 * Walks from an authorization address (OIDC) to where the provider sends the browser back, as a browser would:
 * follows redirects on the provider, keeps its cookies, fills in the sign-in form.
 * @returns the redirect address with `code` and `state`, or with `error`
 */
export async function signInAs(email: string, authorizationUrl: string): Promise<string> {
  return (await walk(email, authorizationUrl)).url;
}

/**
 * The same for SAML: from the HTTP-Redirect address to the form (`SAMLResponse`, `RelayState`) and where it is posted.
 */
export async function samlSignInAs(email: string, redirectUrl: string): Promise<Required<WayBack>> {
  const { url, form } = await walk(email, redirectUrl);
  if (!form) throw new Error(`the provider redirected to ${url} instead of posting a form`);
  return { url, form };
}

async function walk(email: string, start: string): Promise<WayBack> {
  const { origin } = new URL(start);
  const cookies = new Map<string, string>();
  let request: WayBack = { url: start };
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const response = await send(request, cookies);
    const asked = request.form !== undefined;
    request = await nextStep(response, request.url, email);
    if (new URL(request.url).origin !== origin) return request;
    if (asked && request.form) throw new Error(`the provider does not let ${email} in: it answered ${response.status}`);
  }
  throw new Error(`no way back from ${origin} after ${MAX_STEPS} steps`);
}

async function nextStep(response: Response, base: string, email: string): Promise<WayBack> {
  const location = response.headers.get('location');
  if (location) return { url: new URL(location, base).href };
  const page = await response.text();
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 300)}`);
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, readMarkup(value)]));
  if (page.includes('type="email"')) {
    form.set('email', email);
    form.set('password', 'any');
  }
  return { url: new URL(readMarkup(action), base).href, form };
}

const readMarkup = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

async function send({ url, form }: WayBack, cookies: Map<string, string>): Promise<Response> {
  const response = await fetch(url, {
    method: form ? 'POST' : 'GET',
    body: form,
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  return response;
}
