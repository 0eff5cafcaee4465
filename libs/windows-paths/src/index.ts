export * from './text.ts';
export * from './windows-path.ts';
