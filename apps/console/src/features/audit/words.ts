import words from '../../words/en/audit.json';
import { addWords } from '../../words/index.ts';

addWords({ audit: words });
