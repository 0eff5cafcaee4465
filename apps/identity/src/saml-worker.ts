import { serveJobs } from './sso/saml/verification/worker-jobs.ts';
import { verifyResponse } from './sso/saml/verification/verify-response.ts';

serveJobs(verifyResponse);
