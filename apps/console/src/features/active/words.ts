import words from '../../words/en/active.json';
import { addWords } from '../../words/index.ts';

addWords({ active: words });
