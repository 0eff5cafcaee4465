/** The page that the server has now; empty if it cannot be had. */
export async function servedPage(): Promise<string> {
  try {
    const response = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
