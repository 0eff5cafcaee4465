import words from '../../words/en/softwarePolicies.json';
import { addWords } from '../../words/index.ts';

addWords({ softwarePolicies: words });
