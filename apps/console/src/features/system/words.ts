import words from '../../words/en/system.json';
import { addWords } from '../../words/index.ts';

addWords({ system: words });
