import { serveJobs } from './saml-login/worker-jobs.ts';
import { verifyResponse } from './saml-login/verify-response.ts';

serveJobs(verifyResponse);
