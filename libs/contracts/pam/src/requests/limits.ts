export const APPROVAL_MINUTES = { min: 1, max: 1440 };
export const DEFAULT_APPROVAL_MINUTES = 15;
export const MAX_REASON = 2000;
export const MAX_TICKET = 100;
/** The maximum length of a path or command line in an agent's report. */
export const MAX_PATH = 32_767;
/** The maximum length of a user's, signer's or publisher's name in an agent's report. */
export const MAX_REPORTED_NAME = 1024;
export const MAX_AD_GROUPS = 1000;
export const MAX_ESCALATION_STEPS = 5;
