import { serveJobs } from './saml-login/verification/worker-jobs.ts';
import { verifyResponse } from './saml-login/verification/verify-response.ts';

serveJobs(verifyResponse);
