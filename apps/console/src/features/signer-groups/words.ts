import words from '../../words/en/signerGroups.json';
import { addWords } from '../../words/index.ts';

addWords({ signerGroups: words });
