import words from '../../words/en/approvals.json';
import { addWords } from '../../words/index.ts';

addWords({ approvals: words });
