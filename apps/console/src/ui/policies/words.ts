import words from '../../words/en/policies.json';
import { addWords } from '../../words/index.ts';

addWords({ policies: words });
