import words from '../../words/en/import.json';
import { addWords } from '../../words/index.ts';

addWords({ import: words });
