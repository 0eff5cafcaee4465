import words from '../../words/en/rules.json';
import { addWords } from '../../words/index.ts';

addWords({ rules: words });
