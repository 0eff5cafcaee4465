import words from '../../words/en/many.json';
import { addWords } from '../../words/index.ts';

addWords({ many: words });
