import words from '../../words/en/captureLevels.json';
import { addWords } from '../../words/index.ts';

addWords({ captureLevels: words });
