import type { Tracing, TracingOptions } from './tracing.ts';

/** Null without an endpoint: then nothing of the tracing library is loaded, and nobody pays for it. */
export async function openTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { endpoint: string | undefined }): Promise<Tracing | null> {
  if (!endpoint) return null;
  const { Tracing } = await import('./tracing.ts');
  return new Tracing({ endpoint, ...options });
}
