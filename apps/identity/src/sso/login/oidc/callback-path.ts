export const CALLBACK_PATH = '/api/v1/sso/callback';

export const redirectUriAt = (baseUrl: string): string => `${baseUrl}${CALLBACK_PATH}`;
