import type { Tracing, TracingOptions } from './tracing.ts';

/** Returns null without an endpoint; then the tracing library is not loaded and causes no cost. */
export async function openTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { endpoint: string | undefined }): Promise<Tracing | null> {
  if (!endpoint) return null;
  const { Tracing } = await import('./tracing.ts');
  return new Tracing({ endpoint, ...options });
}
