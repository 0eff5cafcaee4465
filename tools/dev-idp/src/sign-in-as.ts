const MOST_STEPS = 10;

/**
 * Walks from an authorization address to where the provider sends the browser back, the way a browser would:
 * follows redirects on the provider, keeps its cookies, fills in the sign-in form.
 * @returns the first address outside the provider (`redirect_uri` with `code` and `state`, or with `error`); it is not fetched
 */
export async function signInAs(email: string, authorizationUrl: string): Promise<string> {
  const { origin } = new URL(authorizationUrl);
  const cookies = new Map<string, string>();
  let request: { url: string; form?: URLSearchParams } = { url: authorizationUrl };
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const response = await send(request, cookies);
    const location = response.headers.get('location');
    if (location) {
      const next = new URL(location, request.url).href;
      if (new URL(next).origin !== origin) return next;
      request = { url: next };
    } else {
      const page = await response.text();
      const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1];
      if (!action || request.form) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 300)}`);
      request = { url: new URL(action, request.url).href, form: new URLSearchParams({ email, password: 'any' }) };
    }
  }
  throw new Error(`no way back from ${origin} after ${MOST_STEPS} steps`);
}

async function send({ url, form }: { url: string; form?: URLSearchParams }, cookies: Map<string, string>) {
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
